import { expect, it } from "vitest";
import { type ServersEnvironment, parseServers } from "../../src/upstream/servers-file.ts";

const environment: ServersEnvironment = {
  valueOf: () => undefined,
  isOurs: () => false,
  base: {},
  moduleCommand: () => ["node"],
  directoryOf: (server) => server,
};

it("the file of servers names the rule that a server's name breaks", () => {
  // The fault was "mcpServers.a b: invalid key in record".
  const text = '{"mcpServers": {"a b": {"command": "x"}}}';
  expect(() => parseServers(text, environment)).toThrow(
    "mcpServers.a b: a server's name must be 1 to 32 letters, digits, hyphens and single underscores, and must not end in an underscore",
  );
});
