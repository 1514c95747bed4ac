import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/app/tools.ts";
import { newestTicket } from "./home.ts";
import { decideHere, runHere } from "./program.ts";
import { homeWithServers, openHere, review, reviewed, writeServers } from "./upstream-home.ts";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const typed = { typed: { module: at("test/fixtures/upstream/typed-tools.mjs") } };

describe("a local module", () => {
  it("of the example offers its tools after a review, in a process of its own", async (t) => {
    const home = homeWithServers(
      t,
      { mine: { module: "./my-tools.js" } },
      { APPROVAL_WAIT_MS: "100" },
    );
    copyFileSync(at("examples/my-tools.js"), join(home.dir, "my-tools.js"));
    const client = await openHere(home);
    expect((await client.list()).some(({ name }) => name.startsWith("mine__"))).toBe(false);
    const { code, stdout, stderr } = await review(home, "mine");
    expect(code, stderr).toBe(0);
    const tools = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(tools).toMatchObject([
      { name: "mine__add_to_list", state: "new", risk: "high" },
      { name: "mine__count_words", state: "new", risk: "low" },
    ]);
    await expect
      .poll(async () => (await client.list()).map(({ name }) => name), { timeout: 10_000 })
      .toContain("mine__count_words");

    const counted = await client.call("mine__count_words", { text: "one two three" });
    expect(counted.text).toContain("3 words");
    expect(counted.structured).toMatchObject({ data: { words: 3 } });
    const wrong = await client.call("mine__count_words", { text: 3 });
    expect(wrong.error).toMatchObject({ kind: "invalid_input" });

    const asked = await client.call("mine__add_to_list", { line: "milk" });
    expect(asked.error?.approval?.status).toBe("pending");
    await decideHere(home, "approve", await newestTicket(home));
    const added = await client.call("mine__add_to_list", { line: "milk" });
    expect(added.text).toContain("Added: milk");
    expect(readFileSync(join(home.dir, "servers/mine/shopping.txt"), "utf8")).toBe("milk\n");
  });

  it("takes schemas of zod, and its output does not disturb the protocol", async (t) => {
    const home = homeWithServers(t, typed, { CANARY_KEY: "CANARY-OF-THE-ENVIRONMENT" });
    await reviewed(home, "typed");
    const client = await openHere(home);
    const tool = (await client.list()).find(({ name }) => name === "typed__repeat");
    expect(tool?.inputSchema.properties).toMatchObject({ times: { maximum: 9, default: 2 } });
    expect((await client.call("typed__repeat", { word: "ab" })).text).toContain("abab");
    expect((await client.call("typed__fail")).text).toContain("the printer is out of paper");
    const both = await client.call("typed__both");
    expect(both.text).toContain('2 found\n{"found":["a","b"]}');
    // The model read "Cannot read properties of undefined".
    const { text: nothing } = await client.call("typed__nothing");
    expect(nothing).toContain("execute of nothing must return a text or { text, data }");
    // The call ended after its time limit, without a cause.
    const { text: big } = await client.call("typed__big_integer");
    expect(big).toContain("execute of big_integer returned data that is not JSON: Do not know how");
    const { text } = await client.call("typed__environment");
    expect(text).toContain("servers/typed");
    expect(text).not.toContain("CANARY");
    expect(text).not.toContain("COUNTERSIGN");
  });

  it("without tools, or that cannot be loaded, says why", async (t) => {
    const home = homeWithServers(t, { none: { module: "./none.js" } });
    const absent = await review(home, "none");
    expect(absent.code).toBe(1);
    expect(absent.stderr).toContain("The server none ended. Nothing was done.");
    // The entry was said to have a wrong command, which it does not have.
    expect(absent.stderr).toMatch(/Correct the module, or "module" in servers\.json: ".*none\.js"/);
    writeFileSync(join(home.dir, "none.js"), "export const x = 1;");
    const doctor = await runHere(home, ["doctor"]);
    expect(doctor.stdout + doctor.stderr).toContain("exports no tool that defineTool made");
    // The command said that the tools were offered from now on.
    writeFileSync(
      join(home.dir, "none.js"),
      `import { defineTool } from "countersign/tools";
      export const odd = defineTool({ name: "count & print", description: "Counts.", execute: () => "1" });`,
    );
    const unusable = await review(home, "none");
    expect(unusable.code).toBe(1);
    expect(unusable.stderr).toContain("The server none has no tool that can be used. Nothing was");
  });

  // A misspelt risk became high, and a tool that nothing could run was reviewed.
  it.for([
    [
      'name: "a", description: "A.", risk: "lowest", execute',
      /a: risk must be .*low.*, not .*lowest/,
    ],
    ['name: "a", description: "A."', /a: execute must be a function/],
    ['name: "a", execute', /a: description must be a text/],
    ['description: "A.", execute', /defineTool needs a name/],
    ['name: "a", description: "A.", input: "text", execute', /a: input must be a schema/],
  ] as const)("that defines { %s } says what is wrong", async ([fields, reason], t) => {
    const home = homeWithServers(t, { odd: { module: "./odd.js" } });
    writeFileSync(
      join(home.dir, "odd.js"),
      `import { defineTool } from "countersign/tools";
      const execute = () => "1";
      export const odd = defineTool({ ${fields} });`,
    );
    const { code, stderr } = await review(home, "odd");
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
  });

  it("is an entry with neither a command nor an address", async (t) => {
    const home = homeWithServers(t, { both: { module: "./a.js", command: "x" } });
    const both = await runHere(home, ["servers"]);
    expect(both.stderr).toContain('needs either "command", "url" or "module"');
    writeServers(home, { args: { module: "./a.js", args: ["x"] } });
    const args = await runHere(home, ["servers"]);
    expect(args.stderr).toContain('does not apply to a server with "module"');
  });
});

it("defineTool gives the arguments the type of the schema", () => {
  defineTool({
    name: "typed",
    description: "Typed.",
    input: z.object({ count: z.number(), word: z.string().default("x") }),
    execute: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ count: number; word: string }>();
      return "";
    },
  });
  defineTool({
    name: "plain",
    description: "Plain.",
    execute: (args) => {
      expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return { data: args };
    },
  });
});
