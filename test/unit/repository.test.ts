import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { longest } from "../servers/mixed-order.ts";

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

const named = z.record(z.string(), z.string());
const manifest = z
  .object({
    license: z.string(),
    bin: named,
    engines: z.object({ node: z.string() }),
    scripts: named,
    dependencies: named,
    devDependencies: named,
  })
  .parse(JSON.parse(read("package.json")));
const readme = read("README.md");
const blocksOf = (page: string): { language: string; text: string }[] =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));

describe("the README", () => {
  it("describes the project in at most five lines, and shows one picture of the flow", () => {
    const [title, what, picture] = readme.split("\n\n");
    expect(title).toBe("# Countersign");
    expect(what?.split("\n").length).toBeLessThanOrEqual(5);
    expect(picture).toMatch(/^```\n forwarded mail/);
  });

  it("has at most 160 lines", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(160);
  });

  it("starts with two commands, each with its whole set-up", () => {
    const begins = blocksOf(readme)
      .map(({ text }) => text.trim())
      .filter((text) => /npm ci/.test(text));
    expect(begins).toEqual(["npm ci && npm run demo", "npm ci && npm test"]);
    expect(manifest.scripts).toMatchObject({
      demo: "node bundle/main.js demo",
      test: "vitest run",
      // The script that `npm ci` runs automatically, and that builds the program.
      dependencies: expect.stringContaining("'run', 'build'") as unknown,
    });
    // npm warned the installer of a tarball about `prepare`, and printed its whole text.
    for (const script of ["preinstall", "install", "postinstall", "prepare"])
      expect(manifest.scripts).not.toHaveProperty(script);
    expect(readme).toContain("With Node 20.19 or newer");
    expect(manifest.engines.node).toBe(">=20.19");
  });

  it("says that programs of the same user can use every approval channel", () => {
    const security = readme.slice(readme.indexOf("\n## Security\n"));
    expect(security).toMatch(/^- \*\*Programs that run as your operating system user\.\*\*/m);
    expect(read("docs/security.md")).toMatch(
      /^\d+\. \*\*Any program that runs as your operating system user can use every approval channel\.\*\*/m,
    );
  });
});

describe("the documentation", () => {
  it("lists the SDK packages with installed versions and reasons", () => {
    const page = read("docs/reference/dependencies.md");
    const told = page.slice(page.indexOf("\n## SDK packages\n"));
    const [serves, speaks, before] = [
      ...told.matchAll(/^- `(\S+)` (\S+) ([\s\S]*?)(?=\n- |\n\n)/gm),
    ];
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [, name = "", version] of [serves!, speaks!, before!])
      expect(all[name], name).toBe(version);
    expect(serves?.slice(1)).toMatchObject(["@modelcontextprotocol/server", {}, /^serves\./]);
    expect(before?.[1]).toBe("@modelcontextprotocol/sdk");
    expect(before?.[3]).toContain("the tests connect with it");
    expect(manifest.dependencies).not.toHaveProperty("@modelcontextprotocol/sdk");
  });
});

describe("the client configuration", () => {
  const server = z.strictObject({
    type: z.literal("stdio").optional(),
    command: z.literal("node"),
    args: z.array(z.string()),
  });
  const servers = z.strictObject({ countersign: server });
  const example = z
    .strictObject({ mcpServers: servers })
    .parse(JSON.parse(read("mcp.json.example")));

  it("is in the example in one format, with the built program", () => {
    const path = `/full/path/to/countersign/${manifest.bin["countersign"]}`;
    const started = { command: "node", args: [path, "serve"] };
    expect(example.mcpServers.countersign).toEqual(started);
  });

  it("is the same in the README and the example, for Claude Desktop", () => {
    const [json] = blocksOf(readme).filter(({ language }) => language === "json");
    expect(JSON.parse(json?.text ?? "")).toEqual({ mcpServers: example.mcpServers });
    expect(readme.slice(readme.indexOf("\n## Add it to a client\n"))).toContain(
      "**Claude Desktop**",
    );
  });

  it("is the same in the guide and the example, for Claude Desktop, Claude Code and VS Code", () => {
    const guide = read("docs/guides/clients.md");
    const json = blocksOf(guide)
      .filter(({ language }) => language === "json")
      .map(({ text }): unknown => JSON.parse(text));
    expect(json).toContainEqual({ mcpServers: example.mcpServers });
    expect(json).toContainEqual({
      servers: { countersign: { type: "stdio", ...example.mcpServers.countersign } },
    });
    const [command] = example.mcpServers.countersign.args;
    expect(guide).toContain(`claude mcp add --scope user countersign -- node ${command} serve\n`);
    for (const host of ["Claude Desktop", "Claude Code", "VS Code", "Cursor"])
      expect(guide).toContain(`**${host}**`);
  });
});

describe("the repository", () => {
  it("checks types, lint, format, unused code and documents, and then the fast tests", () => {
    const { check, "check:static": fixed, bench } = manifest.scripts;
    expect(check?.split(" && ")).toEqual([
      "npm run check:static",
      "vitest run test/unit test/contract test/protocol",
    ]);
    expect(fixed?.split(" && ").map((command) => command.replace("npm run check:", ""))).toEqual([
      "types",
      "lint",
      "format",
      "unused",
      "docs",
      "package",
      "dependencies",
    ]);
    expect(bench).toBe("tsx test/bench/main.ts");
  });

  it("runs all of it in CI from a clean clone, with every server and none missing", () => {
    const commands = read(".ci/run")
      .split("\n")
      .filter((line) => /^(npm|export) /.test(line));
    expect(commands).toEqual([
      "export REQUIRE_SERVERS=1",
      "npm ci",
      "npm run test:servers",
      "npm run check:static",
      "npm test",
    ]);
  });

  it("is under the license that it names", () => {
    expect(manifest.license).toBe("Apache-2.0");
    expect(read("LICENSE")).toMatch(/^\s*Apache License\n\s*Version 2\.0, January 2004/);
  });

  it("gives the reason for each package", () => {
    const table = read("docs/reference/dependencies.md");
    const told = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names = ""]) =>
      names.split(", ").map((name) => name.replaceAll("`", "")),
    );
    const bundled = z.array(z.string()).parse(JSON.parse(read("dist/bundled-packages.json")));
    const used = Object.keys(manifest.devDependencies).filter((name) =>
      bundled.includes(`node_modules/${name}`),
    );
    expect(used).toContain("zod");
    expect(told).toEqual(expect.arrayContaining([...Object.keys(manifest.dependencies), ...used]));
  });

  it("keeps its instructions for contributors short", () => {
    expect(read("AGENTS.md").trimEnd().split("\n").length).toBeLessThanOrEqual(80);
  });
});

describe("the order of tests", () => {
  it("begins with files that exist", () => {
    for (const file of longest) expect(() => read(`test/${file}`), file).not.toThrow();
  });
});
