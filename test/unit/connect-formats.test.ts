import { describe, expect, it } from "vitest";
import { jsoncFormat } from "../../src/adapters/jsonc/format.ts";
import { tomlFormat } from "../../src/adapters/toml/format.ts";
import { yamlFormat } from "../../src/adapters/yaml/format.ts";
import type { ConfigFormat, ConfigKey } from "../../src/ports/config-format.ts";
import { entryFor, withEntry, withoutEntry } from "../../src/setup/clients/change.ts";
import type { McpClient } from "../../src/setup/clients/client.ts";
import { mcpClients } from "../../src/setup/clients/table.ts";

const client = (id: string): McpClient => mcpClients.find((each) => each.id === id)!;
const program = "/opt/my apps/dist/main.js";
const requested = {
  local: {
    command: "/usr/bin/node",
    args: [program, "serve"],
    env: { COUNTERSIGN_DATA_DIR: "/data" },
  },
};

const files: Readonly<
  Record<string, readonly [client: string, format: ConfigFormat, text: string]>
> = {
  "an empty JSON file": ["cursor", jsoncFormat, ""],
  "an empty object": ["cursor", jsoncFormat, "{}"],
  "an empty list of servers": ["cursor", jsoncFormat, '{\n\t"mcpServers": {}\n}\n'],
  "servers in one line": [
    "cursor",
    jsoncFormat,
    '{"a":1,"mcpServers":{"b":{"command":"c"}},"q":[1,2]}',
  ],
  "comments around servers": [
    "vscode",
    jsoncFormat,
    '// mine\n{\n  /* all */\n  "servers": {\n    "b": { "command": "c" }, // first\n    "a": { "command": "c" } // last, of me\n    // the end\n  },\n  "inputs": [] // none\n}\n',
  ],
  "trailing commas": ["vscode", jsoncFormat, '{\n  "servers": {\n    "a": {}, // x\n  },\n}\n'],
  "Windows line ends": ["cursor", jsoncFormat, '{\r\n    "a": 1\r\n}\r\n'],
  "a byte order mark": ["cursor", jsoncFormat, '\uFEFF{\n  "a": 1\n}\n'],
  "comments alone": ["cursor", jsoncFormat, "// mine\r\n"],
  "opencode's settings": [
    "opencode",
    jsoncFormat,
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // models\n  "model": "a/b"\n}\n',
  ],
  "an empty TOML file": ["codex", tomlFormat, ""],
  "TOML without a line end": ["codex", tomlFormat, 'model = "x"'],
  "TOML with tables and comments": [
    "codex",
    tomlFormat,
    '# mine\nmodel = "x" # inline\nbig = 99999999999999999999\n\n# about docs\n[mcp_servers.docs]\ncommand = "d"   # c\nargs = [\n  "a", # one\n]\n\n[mcp_servers.docs.env]\nK = "v"\n\n# the end\n',
  ],
  "TOML with dotted keys": [
    "codex",
    tomlFormat,
    'mcp_servers.d.command = "d"\r\n[o]\r\na = 0x10\r\n',
  ],
  "TOML with a byte order mark": ["codex", tomlFormat, '\uFEFF# mine\r\nmodel = "x"\r\n'],
  "an empty YAML file": ["continue", yamlFormat, ""],
  "YAML with comments": [
    "continue",
    yamlFormat,
    'name: me   # my name\nversion: 1.0.0\nschema: v1\n\nmcpServers:\n  # the first\n  - name: b\n    command: "c"   # quoted\n    args: [ a,  b ]\nmodels:\n  - name: m\n',
  ],
  "YAML lists without indentation": [
    "continue",
    yamlFormat,
    "schema: v1\nmcpServers:\n- name: b\n  command: c\n",
  ],
  "YAML with an anchor between a dash and its map": [
    "continue",
    yamlFormat,
    "mcpServers:\n  - &first # a\n    name: a\n    command: c\n  -\n    name: b\n    env: { A: b }\n    <<: *first\n",
  ],
  // The entry was added after the end of the document, as a second document.
  "YAML with an end mark": ["continue", yamlFormat, "name: me\nschema: v1\n... # end\n"],
  // The library wrote the whole document again: quotes, spaces and Windows line ends were lost.
  "a YAML list in brackets": [
    "continue",
    yamlFormat,
    "'q':   \"a\"\r\nmcpServers: [ {name: a, command: b}, # c\r\n  {name: b} ]   # d\r\nz:   1\r\n",
  ],
  // The file was refused: "the syntax of mcpServers can only be changed by hand".
  "a YAML key without a list": ["continue", yamlFormat, "a: 1\nmcpServers: # none\n"],
  "an empty YAML list": ["continue", yamlFormat, "schema: v1\nmcpServers: [] # none\nz: 1\n"],
};

const cases = Object.entries(files);

describe.each(cases)("connect in %s", (_, [id, format, text]) => {
  const it_ = client(id);
  const entry = it_.local(requested.local);
  const { after = "" } = withEntry(format, it_, { text, entry, requested });

  it("adds the entry, and changes no other line", () => {
    const read = it_.path.reduce<unknown>(step, format.parse(after));
    expect(read).toEqual(entry);
    expect(addedTo(signs(text), signs(after))).toBe(true);
  });

  it("changes nothing the second time", () => {
    expect(withEntry(format, it_, { text: after, entry, requested })).toEqual({
      found: "ours",
      after,
    });
  });

  it("gives the text of before back to the byte", () => {
    expect(withoutEntry(format, it_, { text: after, backup: text }, program)).toEqual({
      found: "ours",
      after: text,
    });
  });

  it("takes only the entry out when something else has changed since", () => {
    const other = { ...entry, command: "other", args: [] };
    const path = it_.path.with(
      -1,
      typeof it_.path.at(-1) === "string" ? "later" : { named: "later" },
    );
    const later = format.set(after, path, "name" in entry ? { ...other, name: "later" } : other);
    const undone = withoutEntry(format, it_, { text: later, backup: text }, program)?.after;
    const gone = it_.path.reduce<unknown>(step, format.parse(undone ?? ""));
    expect(gone).toBeUndefined();
    expect(path.reduce<unknown>(step, format.parse(undone ?? ""))).toBeDefined();
    for (const comment of text.match(/(?:#|\/\/)[^\n]*/g) ?? []) expect(undone).toContain(comment);
  });
});

/** A text without what an entry needs around it: spaces, commas and brackets. */
const signs = (text: string): string => text.replaceAll(/[\s,{}[\]]/g, "");

/** Returns whether the second text is the first with an addition in one place. */
function addedTo(text: string, longer: string): boolean {
  let head = 0;
  while (head < text.length && text[head] === longer[head]) head += 1;
  return longer.endsWith(text.slice(head));
}

function step(value: unknown, at: ConfigKey): unknown {
  if (typeof at !== "string")
    return (value as { name: string }[] | undefined)?.find(({ name }) => name === at.named);
  return (value as Record<string, unknown> | undefined)?.[at];
}

describe("connect refuses", () => {
  it.each([
    ["cursor", jsoncFormat, '{\n  "a": 1,\n  "b" 2\n}', 3],
    ["cursor", jsoncFormat, '{\n  "mcpServers": []\n}', 2],
    ["cursor", jsoncFormat, "[]", 1],
    ["codex", tomlFormat, "a = 1\nb = = 2\n", 2],
    ["codex", tomlFormat, 'a = 1\nmcp_servers = { d = { command = "d" } }\n', 2],
    ["continue", yamlFormat, "a: 1\nb: [1\nc: 2\n", 3],
    ["continue", yamlFormat, "a: 1\nmcpServers:\n  x: 1\n", 3],
  ] as const)("a file of %s that it cannot edit, and names the line", (id, format, text, line) => {
    const it_ = client(id);
    const entry = it_.local(requested.local);
    expect(() => withEntry(format, it_, { text, entry, requested })).toThrow(
      expect.objectContaining({ name: "ConfigSyntaxError", line }) as Error,
    );
  });

  // The sentences were the library's, and two of them stopped the command.
  it.each([
    ["a: 1\n---\nb: 2\n", 2, "there is more than one document"],
    ["a: 1\na: 2\n", 2, "a key is there twice"],
    ["a: 1\nb: *first\n", 2, "the alias first has no anchor"],
    [
      `a: &a [1]\nb: &b [${"*a,".repeat(99)}]\nc: [${"*b,".repeat(99)}]\n`,
      1,
      "the aliases stand for too much content",
    ],
    ["a:\n\t- b\n", 2, "a tab is used for indentation"],
    ["{ a: 1, mcpServers: [] }\n", 1, "the syntax of mcpServers can only be changed by hand"],
  ])("YAML such as %j in its own words", (text, line, message) => {
    const it_ = client("continue");
    const entry = it_.local(requested.local);
    expect(() => withEntry(yamlFormat, it_, { text, entry, requested })).toThrow(
      expect.objectContaining({ name: "ConfigSyntaxError", line, message }) as Error,
    );
  });

  it("to change a file in which a key is there twice", () => {
    const it_ = client("cursor");
    const text = '{ "mcpServers": {}, "mcpServers": {} }';
    const entry = it_.local(requested.local);
    expect(() => withEntry(jsoncFormat, it_, { text, entry, requested })).toThrow(
      /only be changed by hand/,
    );
  });
});

describe("undo", () => {
  // The entry of the person was removed, and the backup of it was replaced.
  it.each([
    [
      "cursor",
      jsoncFormat,
      '{"mcpServers":{"countersign":{"command":"npx","args":["-y","countersign"]}}}',
    ],
    [
      "codex",
      tomlFormat,
      '[mcp_servers.countersign] # mine\ncommand = "npx"\nargs = ["countersign"]\n',
    ],
    [
      "continue",
      yamlFormat,
      "mcpServers:\n  - command: npx # mine\n    args: [countersign]\n    name: countersign\n",
    ],
  ] as const)("restores an entry of %s that a person wrote for this server", (id, format, text) => {
    const it_ = client(id);
    const entry = it_.local(requested.local);
    const { found, after = "" } = withEntry(format, it_, { text, entry, requested });
    expect([found, after === text]).toEqual(["ours", false]);
    const undone = withoutEntry(format, it_, { text: after, backup: text }, program);
    expect(undone).toEqual({ found: "ours", after: text, restoresEntry: true });
    const gone = withoutEntry(format, it_, { text, backup: undefined }, program)?.after ?? "";
    expect(gone).not.toContain("countersign");
  });

  // "The entry was not written by connect", although connect wrote its address.
  it("removes a remote entry with additions of the person", () => {
    const remote = { remote: "https://mcp.example/mcp", access: "sign-in" } as const;
    const it_ = client("codex");
    const text = '[mcp_servers.countersign]\ncommand = "countersign"\nstartup_timeout_sec = 20\n';
    const change = { entry: entryFor(it_, remote)!, requested: remote };
    const { after = "" } = withEntry(tomlFormat, it_, { text, ...change });
    expect(after).toContain("startup_timeout_sec = 20");
    expect(withEntry(tomlFormat, it_, { text: after, ...change })).toEqual({
      found: "ours",
      after,
    });
    const undone = withoutEntry(tomlFormat, it_, { text: after, backup: text }, program);
    expect(undone).toEqual({ found: "ours", after: text, restoresEntry: true });
    const other = '[mcp_servers.countersign]\nurl = "https://a/mcp"\nbearer_token_env_var = "A"\n';
    expect(withEntry(tomlFormat, it_, { text: other, ...change }).found).toBe("other");
  });
});

describe("an existing entry", () => {
  const it_ = client("codex");
  const entry = it_.local(requested.local);

  it("keeps what the person added to ours, with its comments", () => {
    const text = `[mcp_servers.countersign]\n# moved\ncommand = "/old/node" # old\nargs = ["${program}", "serve"]\nenabled = true\n\n[mcp_servers.countersign.env]\nLOG_LEVEL = "debug"\n\n# later\n[b]\nc = 1\n`;
    const { found, after = "" } = withEntry(tomlFormat, it_, { text, entry, requested });
    expect(found).toBe("ours");
    expect(tomlFormat.parse(after)).toEqual({
      mcp_servers: {
        countersign: {
          ...entry,
          enabled: true,
          env: { LOG_LEVEL: "debug", COUNTERSIGN_DATA_DIR: "/data" },
        },
      },
      b: { c: 1 },
    });
    for (const comment of ["# moved", "# old", "# later"]) expect(after).toContain(comment);
  });

  it("is foreign if only its name in a list is ours", () => {
    const { local } = client("continue");
    const text = "mcpServers:\n  - name: countersign\n    command: other\n";
    const given = { text, entry: local(requested.local), requested };
    expect(withEntry(yamlFormat, client("continue"), given).found).toBe("other");
  });

  it("is foreign if it starts another program", () => {
    const text = '[mcp_servers.countersign]\ncommand = "other"\n';
    expect(withEntry(tomlFormat, it_, { text, entry, requested }).found).toBe("other");
  });

  // `codex mcp add --env` writes a table below the entry. The entry could then neither be replaced nor completed.
  it.each([
    `[mcp_servers.countersign]\ncommand = "other"\n\n[mcp_servers.countersign.tools.a]\nb = 1\n\n# later\n[b]\nc = 1\n`,
    `[mcp_servers.countersign.tools.a]\nb = 1\n\n[mcp_servers.countersign]\ncommand = "other"\n# later\n[b]\nc = 1\n`,
  ])("of another program is replaced with all its tables: %j", (text) => {
    const { found, after = "" } = withEntry(tomlFormat, it_, { text, entry, requested });
    expect(found).toBe("other");
    expect(tomlFormat.parse(after)).toEqual({
      mcp_servers: { countersign: entry },
      b: { c: 1 },
    });
    expect(after).toContain("# later");
  });

  it("loses what only a server of the other kind has", () => {
    const remote = { remote: "https://mcp.example/mcp", access: "token" } as const;
    const { after: first } = withEntry(tomlFormat, it_, {
      text: "",
      entry: entryFor(it_, remote)!,
      requested: remote,
    });
    const { found, after = "" } = withEntry(tomlFormat, it_, { text: first, entry, requested });
    expect(found).toBe("ours");
    expect(tomlFormat.parse(after)).toEqual({ mcp_servers: { countersign: entry } });
  });
});

describe("a remote server in VS Code", () => {
  it("asks for its token, once and among the questions that are there", () => {
    const it_ = client("vscode");
    const remote = { remote: "https://mcp.example/mcp", access: "token" } as const;
    const entry = entryFor(it_, remote)!;
    const text =
      '{\n  "inputs": [\n    { "id": "other", "type": "promptString" } // mine\n  ]\n}\n';
    const { after = "" } = withEntry(jsoncFormat, it_, { text, entry, requested: remote });
    expect(after).toContain("// mine");
    expect(jsoncFormat.parse(after)).toMatchObject({
      inputs: [{ id: "other" }, { id: "countersign-token", password: true }],
      servers: { countersign: entry },
    });
    expect(withEntry(jsoncFormat, it_, { text: after, entry, requested: remote }).after).toBe(
      after,
    );
    expect(withoutEntry(jsoncFormat, it_, { text: after, backup: text }, program)?.after).toBe(
      text,
    );
    const left = withoutEntry(jsoncFormat, it_, { text: after, backup: undefined }, program)?.after;
    expect(jsoncFormat.parse(left ?? "")).toMatchObject({ inputs: [{ id: "other" }] });
  });
});
