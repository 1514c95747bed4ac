import { expect, it } from "vitest";
import {
  type ServersEnvironment,
  faultOfHeaders,
  parseServers,
} from "../../src/upstream/servers-file.ts";

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

it.each([
  ["Bad Name", "token"],
  ["Authorization", "Bearer \u201ctoken\u201d"],
  ["Authorization", "Bearer ${env:TOKEN}"],
])("the file of servers names the header %s that HTTP cannot send", (name, value) => {
  // The server "did not speak MCP", and its address was to be corrected.
  const servers = { web: { url: "https://example.org", headers: { [name]: value } } };
  const [entry] = parseServers(JSON.stringify({ mcpServers: servers }), {
    ...environment,
    valueOf: () => "tok\nen",
  });
  expect(entry?.problem).toBe(
    `mcpServers.web.headers.${name}: has a character that a header cannot contain. Correct it in servers.json, or in the variable that it names.`,
  );
});

// Such a header cut the message, whose rest was sent as another request.
it.each(["Content-Length", "transfer-encoding", "Connection", "Expect"])(
  "the file of servers refuses the header %s, which each request sets itself",
  (name) => {
    const servers = { web: { url: "https://example.org", headers: { [name]: "5" } } };
    const [entry] = parseServers(JSON.stringify({ mcpServers: servers }), environment);
    expect(entry?.problem).toBe(
      `mcpServers.web.headers.${name}: is a header that each request sets itself. Correct it in servers.json, or in the variable that it names.`,
    );
    expect(entry && faultOfHeaders(entry)).toBe(
      `headers.${name}: is a header that each request sets itself`,
    );
  },
);

it("the file of servers says that the old transport is not supported", () => {
  // The fault only listed the supported types.
  const at = { url: "https://example.org/sse" };
  const parse = (type: string) => () =>
    parseServers(JSON.stringify({ mcpServers: { web: { type, ...at } } }), environment);
  expect(parse("sse")).toThrow(
    'mcpServers.web.type: is the old transport HTTP+SSE, which is not supported; try "http"',
  );
  expect(parse("other")).toThrow(
    'mcpServers.web.type: must be one of "stdio", "http", "streamable-http", "streamableHttp"',
  );
});

// Cline, Roo Code and the registry of MCP servers write other spellings than "http". One of them was refused.
it.each(["http", "streamable-http", "streamableHttp"])(
  "the file of servers accepts %s as the transport of a server over HTTP",
  (type) => {
    const parse = (entry: object) => () =>
      parseServers(JSON.stringify({ mcpServers: { web: entry } }), environment);
    const [entry] = parse({ type, url: "https://example.org/mcp" })();
    expect(entry?.target).toEqual({ kind: "http", url: "https://example.org/mcp", headers: {} });
    expect(parse({ type, command: "x" })).toThrow(
      `mcpServers.web.type: is ${type}, but the server has "command"`,
    );
  },
);
