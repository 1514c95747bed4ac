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

// The address "https://${env:HOST}/mcp" was refused as no URL, and the whole file with it.
it.each([
  ["https://${env:HOST}/mcp", "https://notes.example.org/mcp"],
  ["http://127.0.0.1:${env:PORT}/mcp", "http://127.0.0.1:8080/mcp"],
  ["${env:ADDRESS}", "https://notes.example.org/mcp?a=1"],
])("the file of servers replaces variables in the address %s", (url, replaced) => {
  const values: Readonly<Record<string, string>> = {
    HOST: "notes.example.org",
    PORT: "8080",
    ADDRESS: "https://notes.example.org/mcp?a=1",
  };
  const parse = (valueOf: ServersEnvironment["valueOf"]) =>
    parseServers(JSON.stringify({ mcpServers: { web: { url } } }), { ...environment, valueOf })[0];
  const entry = parse((name) => values[name]);
  expect(entry).toMatchObject({ target: { kind: "http", url: replaced } });
  // The query may be a key.
  expect(entry?.place).toBe(replaced.replace(/\/mcp\?a=1$/, ""));
  expect(entry?.problem).toBeUndefined();
  expect(parse(() => undefined)?.problem).toMatch(/^mcpServers\.web\.url: \w+ is not set\. Set it/);
});

it.each([
  ["file:///etc/passwd", "is not a URL with http or https"],
  ["no address", "is not a URL with http or https"],
  ["https://user:word@example.org/mcp", "contains a user or a password"],
  ["https://:word@example.org/mcp", "contains a user or a password"],
])("the file of servers refuses an address whose variable has the value %s", (value, fault) => {
  const text = '{"mcpServers": {"web": {"url": "${env:ADDRESS}"}}}';
  const [entry] = parseServers(text, { ...environment, valueOf: () => value });
  expect(entry?.problem).toBe(
    `mcpServers.web.url: ${fault} after its variables were replaced. Correct it in servers.json, or set its variables in .env of the data directory.`,
  );
});

it.each([
  ["ftp://${env:HOST}/mcp", "must be a URL with http or https"],
  ["${HOST}/mcp", "must be a URL with http or https"],
  ["example.org/mcp", "must be a URL with http or https"],
  ["https://:word@example.org/mcp", "must not contain a user or a password: use headers"],
])("the file of servers refuses the address %s", (url, fault) => {
  const text = JSON.stringify({ mcpServers: { web: { url } } });
  expect(() => parseServers(text, environment)).toThrow(`mcpServers.web.url: ${fault}`);
});

it("the identity of a server changes with the host that a variable names, and with no other variable", () => {
  const identityWith = (url: string, value: string) =>
    parseServers(JSON.stringify({ mcpServers: { web: { url } } }), {
      ...environment,
      valueOf: () => value,
    })[0]?.identity;
  const host = "https://${env:HOST}/mcp";
  expect(identityWith(host, "a.example.org")).toBe(identityWith(host, "a.example.org"));
  expect(identityWith(host, "b.example.org")).not.toBe(identityWith(host, "a.example.org"));
  const path = "https://example.org/${env:TOKEN}";
  expect(identityWith(path, "new")).toBe(identityWith(path, "old"));
});

it.each([
  [{ url: "https://example.org/${env:KEY}/mcp" }, "https://example.org/${env:KEY}/mcp"],
  [{ command: "notes", args: ["--key", "${env:KEY}"] }, "notes --key ${env:KEY}"],
])("a review shows no value of a variable: %j", (server, place) => {
  const text = JSON.stringify({ mcpServers: { web: server } });
  const [entry] = parseServers(text, { ...environment, valueOf: () => "hidden-value" });
  expect(entry?.place).toBe(place);
  expect(JSON.stringify(entry?.target)).toContain("hidden-value");
});
