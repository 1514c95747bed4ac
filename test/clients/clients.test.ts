import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runsOf, storedFile } from "../protocol/home.ts";
import { drivers } from "./drivers.ts";
import { toolsOf } from "./model-apis.ts";
import { packageOf, versionOf } from "./packages.ts";
import { callsMade } from "./programs.ts";
import { type Row, writeReport } from "./report.ts";
import { type Call, sentence, untrustedWords } from "./scenario.ts";
import {
  answersIn,
  dialogIn,
  formOf,
  protocolIn,
  resultsIn,
  tokensOf,
  withoutFenced,
} from "./seen.ts";
import { newWorld, transports } from "./world.ts";

/** `CLIENTS=codex,cline npm run test:clients` runs these alone. */
const wanted = process.env["CLIENTS"]?.split(",");
const chosen = drivers.filter(({ id }) => wanted === undefined || wanted.includes(id));

const cases = chosen.flatMap((driver) =>
  transports
    .filter((transport) => driver.id !== "mcp-remote" || transport === "HTTP")
    .map((transport) => ({ ...driver, transport })),
);

describe.each(cases)("$title over $transport", ({ id, title, transport, drive, remark }) => {
  it("lists the tools, runs calls of each risk, and runs an approved call once", async (t) => {
    const world = await newWorld(t, transport);
    const { model } = world;
    const outcome = await drive(world);
    const { ran, plain } = outcome;
    const calls = callsMade(world, outcome);
    const said = ran
      .map(({ stdout, stderr }) => `${stdout.slice(-1500)}\n${stderr.slice(-1500)}`)
      .join("\n---\n");
    const names = plain?.tools ?? model.requests.flatMap(toolsOf).map(({ name }) => name);
    const seen = plain?.results ?? resultsIn(model.requests.at(-1) ?? {});
    const answers = byCall(answersIn(world.rpc()), calls);
    keepWhatWasSeen(`${id}-${transport}`, calls, seen, [model.requests.at(-1), world.rpc()]);

    const isListed = names.some((name) => /(?:^|[^a-z])delete_file$/.test(name));
    expect(isListed || model.lookedUp.size > 0, said).toBe(true);
    expect(seen, said).toHaveLength(calls.length);
    const result = (name: string): string =>
      seen[calls.findIndex((call) => call.name === name)] ?? "";
    expect(result("search")).toContain("Offer for the kitchen");
    expect(result("read")).toContain("Note to the AI assistant");
    expect(result("write")).toContain("Tell the user: wrote notes/a.txt");
    expect(result("list")).toContain("notes/a.txt");
    expect(result("pending")).toContain("approval_required");
    expect(result("approved")).not.toContain("approval_required");
    // The call was made once: the same call again finds no file, or asks anew.
    expect(result("again")).toMatch(/approval_required|not_found|There is no file/);
    expect(result("denied")).toContain(sentence);
    expect(result("wrong")).toContain("after");
    expect(result("unknown")).toContain("not_found");
    expect(result("found")).toContain("notes__delete_note");
    expect(result("failed")).toContain("the disk is full");
    expect(result("long")).toContain("read_result");
    if (plain === undefined) expect(result("rest")).toContain("of 100000");
    expect(await runsOf(world.home, "delete_file")).toBe(1);
    expect(await storedFile(world.home, "notes/a.txt")).toEqual({ there: false, undoCopies: 1 });

    for (const [index, { name }] of calls.entries()) {
      const text = seen[index] ?? "";
      expect(withoutFenced(text), name).not.toMatch(untrustedWords);
      const answer = answers[index];
      if (answer?.isError !== true) continue;
      const [first = ""] = answer.text.split("\n");
      const unquoted = text.replaceAll(String.raw`\"`, '"');
      expect(unquoted.split(first.slice(0, 60)), `${name}: ${text}`).toHaveLength(2);
    }

    const rpc = world.rpc();
    const whole = JSON.stringify(model.requests);
    const row: Row = {
      title,
      package: packageOf(id),
      version: versionOf(id),
      transport,
      protocol: protocolIn(rpc),
      dialog: dialogIn(rpc),
      sees: formOf(result("search")),
      tokens: tokensOf(result("search")),
      times: timesAlone(seen.slice(0, ofOurTools), answers),
      remarks: [
        ...(remark === undefined ? [] : [remark]),
        ...(model.lookedUp.size > 0 ? ["looks tools up before it offers them"] : []),
        ...(model.isEarly() ? ["asks the model before the server has started"] : []),
        ...(answers.length === calls.length && answers.includes(undefined)
          ? ["refuses wrong arguments itself"]
          : []),
        ...(plain === undefined
          ? [
              whole.includes("Some calls need the user")
                ? "the model gets the server's instructions"
                : "the model gets no instructions of the server",
            ]
          : ["no model: what the program gets"]),
      ],
    };
    if (process.env["WRITE_DOCS"] === "1") writeReport(row);
  });
});

type Answer = ReturnType<typeof answersIn>[number];

/** Puts the server's results beside the calls. A client that knows the schema may refuse the wrong call itself. */
function byCall(
  answers: readonly Answer[],
  calls: readonly Call[],
): readonly (Answer | undefined)[] {
  if (answers.length >= calls.length) return answers;
  const wrong = calls.findIndex(({ name }) => name === "wrong");
  return [...answers.slice(0, wrong), undefined, ...answers.slice(wrong)];
}

/** The results of calls of our own tools. One long result of an upstream server would hide what a client adds to them. */
const ofOurTools = 12;

/** Returns how many times the tokens of their text alone the results of the whole run cost. */
function timesAlone(seen: readonly string[], answers: readonly (Answer | undefined)[]): number {
  const pairs = seen.flatMap((text, index) => {
    const alone = answers[index]?.text;
    return alone === undefined ? [] : [[tokensOf(text), tokensOf(alone)] as const];
  });
  const sum = (which: 0 | 1): number => pairs.reduce((all, pair) => all + pair[which], 0);
  return sum(0) / sum(1);
}

/** Stores the texts that each model saw in the directory `SEEN=DIR`, for a person to read. */
function keepWhatWasSeen(
  name: string,
  calls: readonly Call[],
  seen: readonly string[],
  whole: readonly unknown[],
): void {
  const directory = process.env["SEEN"];
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  const text = calls.map((call, index) => `== ${call.name}\n${seen[index] ?? "(nothing)"}\n`);
  writeFileSync(`${directory}/${name}.txt`, text.join("\n"));
  writeFileSync(`${directory}/${name}.json`, JSON.stringify(whole, undefined, 1));
}
