import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { type Home, newHome } from "./home.ts";
import { homeWithBrowser, timesOpened } from "./opened-page.ts";
import { runHere, runProgram } from "./program.ts";
import { StdioHere } from "./stdio-here.ts";

vi.setConfig({ testTimeout: 60_000 });

const secretWord = "quince-marmalade";
const eras = ["legacy", "modern"] as const;

/** Connects a client that answers dialogs after some time, or not before the test ends. */
async function connectAs(
  t: TestContext,
  home: Home,
  { name, era, afterMs }: { name: string; era: (typeof eras)[number]; afterMs: number },
) {
  const client = new Client(
    { name, version: "1.2.3" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  client.setRequestHandler("elicitation/create", async () => {
    const answered = AbortSignal.timeout(afterMs);
    await new Promise<void>((resolve) => {
      answered.addEventListener("abort", () => resolve());
      t.onTestFinished(() => resolve());
    });
    return { action: "decline" as const };
  });
  const trace = join(home.dir, `${name}.jsonl`);
  await client.connect(new StdioHere(home, { args: ["--trace", trace] }));
  home.later(() => client.close());
  const call = (tool: string, given: Record<string, unknown>) =>
    client.callTool({ name: tool, arguments: given });
  return { client, trace, call };
}

const doctor = async (home: Home, of: string): Promise<string> => {
  const { code, stdout, stderr } = await runHere(home, ["doctor", "--client", of]);
  expect(code, stderr).toBe(0);
  return stdout;
};

// A directory gave "EISDIR: illegal operation", an empty file the report of a client without any ability, and a file
// with other JSON "Cannot destructure property 'name' of 'report'".
it("a trace that the doctor cannot read is named in one sentence", async (t) => {
  const home = newHome(t);
  const empty = join(home.dir, "empty.jsonl");
  writeFileSync(empty, "");
  const other = join(home.dir, "other.json");
  writeFileSync(other, '{"mcpServers":{}}\n');
  const incomplete = join(home.dir, "incomplete.jsonl");
  writeFileSync(incomplete, '{"kind":"client"}\n');
  for (const [file, sentence] of [
    [
      home.dir,
      `${home.dir} is a directory. Name the file that \`serve --trace\` wrote, or a client.\n`,
    ],
    [empty, `${empty} is not a trace of serve --trace.\n`],
    [other, `${other} is not a trace of serve --trace.\n`],
    [incomplete, `${incomplete} is not a trace of serve --trace.\n`],
  ] as const) {
    const { code, stderr } = await runHere(home, ["doctor", "--client", file]);
    t.expect([code, stderr]).toEqual([1, sentence]);
  }
});

// The server started, and gave no answer to any message.
it("a trace that cannot be written ends the start", async (t) => {
  const home = newHome(t);
  const missing = join(home.dir, "missing", "trace.jsonl");
  for (const [file, why] of [
    [home.dir, "it is a directory"],
    [missing, "its directory does not exist"],
  ] as const) {
    const { code, stderr } = await runProgram(home, ["serve", "--trace", file]);
    t.expect(code).toBe(1);
    t.expect(stderr).toContain(
      `The trace cannot be written to ${file}: ${why}. Nothing was started.`,
    );
  }
});

it("a trace is not appended to a file of the person", async (t) => {
  // The lines were appended to any file.
  const home = newHome(t);
  const notes = join(home.dir, "notes.txt");
  for (const text of ["mine\n", "{}\n", '{"kind":"note"}\n', "\n"]) {
    writeFileSync(notes, text);
    const { code, stderr } = await runHere(home, ["serve", "--trace", notes], { input: "" });
    expect([code, stderr]).toEqual([
      1,
      `The trace cannot be written to ${notes}: it exists and is not a trace. Name another file. Nothing was started.\n`,
    ]);
    expect(readFileSync(notes, "utf8")).toBe(text);
  }
  const trace = join(home.dir, "trace.jsonl");
  for (const text of ["", '{"kind":"protocol","version":"2025-11-25"}\n']) {
    writeFileSync(trace, text);
    expect((await runHere(home, ["serve", "--trace", trace], { input: "" })).code).toBe(0);
  }
});

describe.concurrent.for(eras)("a client in the %s era", (era) => {
  it("that answers dialogs without a person is traced, reported and remembered", async (t) => {
    const home = newHome(t);
    const { client, trace, call } = await connectAs(t, home, { name: "robot", era, afterMs: 0 });
    await client.listTools();
    await call("write_file", { key: `${secretWord}.md`, content: secretWord });
    await call("delete_file", { key: `${secretWord}.md` });
    await client.close();
    const text = readFileSync(trace, "utf8");
    expect(text).not.toContain(secretWord);
    expect(statSync(trace).mode & 0o777).toBe(0o600);
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(events).toContainEqual({ kind: "message", method: "tools/call" });
    expect(events).toContainEqual({ kind: "dialog" });
    expect(events).toContainEqual({
      kind: "client",
      name: "robot",
      version: "1.2.3",
      capabilities: ["elicitation"],
    });
    for (const of of [trace, "robot"]) {
      const said = await doctor(home, of);
      expect(said).toContain('client: "robot" 1.2.3');
      expect(said).toContain(`protocol: ${era === "modern" ? "2026-07-28" : "2025-11-25"}`);
      expect(said).toMatch(/^dialog: answered by itself \(decline after \d+ ms\)$/m);
      expect(said).toContain("immediately, beside the dialog");
    }
  });

  it("that shows dialogs to a person is asked first", async (t) => {
    const home = newHome(t);
    const { client, call } = await connectAs(t, home, { name: "patient", era, afterMs: 400 });
    await call("write_file", { key: "a.md", content: "x" });
    await call("delete_file", { key: "a.md" });
    await client.close();
    const said = await doctor(home, "patient");
    expect(said).toMatch(/^dialog: shown and answered \(decline after \d+ ms\)$/m);
    expect(said).toContain("approval channels: the dialog first");
  });
});

it("the browser is opened during a dialog for a client that answered the last one without a person", async (t) => {
  const home = homeWithBrowser(t);
  const robot = await connectAs(t, home, { name: "robot", era: "legacy", afterMs: 0 });
  for (const key of ["a.md", "b.md"]) await robot.call("write_file", { key, content: "x" });
  await robot.call("delete_file", { key: "a.md" });
  await vi.waitFor(() => expect(timesOpened(home)).toBe(1), 30_000);
  await robot.client.close();
  // The same client, whose dialog now stays open. The page is closed, so that it is opened again.
  const other = homeWithBrowser(t);
  const stores = await runHere(home, ["doctor", "--client", "robot", "--json"]);
  const report = stores.stdout.trim();
  await runHere(other, ["approvals", "list"]);
  await other.sql("INSERT INTO client_reports (name, version, report, at) VALUES (?, ?, ?, 1)", [
    "robot",
    "1.2.3",
    report,
  ]);
  const later = await connectAs(t, other, { name: "robot", era: "legacy", afterMs: 3_600_000 });
  await later.call("write_file", { key: "b.md", content: "x" });
  void later.call("delete_file", { key: "b.md" }).catch(() => undefined);
  await vi.waitFor(() => expect(timesOpened(other)).toBe(1), 30_000);
  const unknown = homeWithBrowser(t);
  const first = await connectAs(t, unknown, { name: "robot", era: "legacy", afterMs: 3_600_000 });
  await first.call("write_file", { key: "b.md", content: "x" });
  void first.call("delete_file", { key: "b.md" }).catch(() => undefined);
  await vi.waitFor(async () => expect(await unknown.sql("SELECT 1 FROM tickets")).toHaveLength(1));
  expect(timesOpened(unknown)).toBe(0);
});

it("a client that is not remembered is named as such", async (t) => {
  const { code, stderr } = await runProgram(newHome(t), ["doctor", "--client", "nobody"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Neither a recorded client nor a trace file has this name");
});
