import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import type * as marksThreads from "../../src/adapters/fingerprints/marks-thread.ts";
import type * as databases from "../../src/adapters/libsql/driver/database.ts";
import type * as ledgers from "../../src/adapters/libsql/flow/ledger.ts";
import type * as recordingFiles from "../../src/app/platform/recording-files.ts";
import type * as flows from "../../src/core/flow/flow.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { madeMail } from "./mail-corpus.ts";
import { fill } from "./mail-search.ts";

// The time that the comparison adds to a call, with a ledger of 2 000 mails, and the time of the main thread for
// recording. Measures the compiled program, because the loader of TypeScript adds a call for the name of each function.

const load = (path: string): Promise<unknown> =>
  import(new URL(`../../dist/${path}.js`, import.meta.url).href);
const { mainMigrations, openDatabase } = (await load(
  "adapters/libsql/driver/database",
)) as typeof databases;
const { createMarksThread } = (await load(
  "adapters/fingerprints/marks-thread",
)) as typeof marksThreads;
const { createRecordingFiles } = (await load(
  "app/platform/recording-files",
)) as typeof recordingFiles;
const { createLedger } = (await load("adapters/libsql/flow/ledger")) as typeof ledgers;
const { createInformationFlow } = (await load("core/flow/flow")) as typeof flows;

const mails = 2_000;
const searches = 400;
const recordings = 60;
/** Milliseconds, and bytes for one caller. */
const most = { compared: 1, recorded: 3, bytes: 2_000_000 };

const directory = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const at = (share: number, figures: readonly number[]): number =>
  figures.toSorted((one, other) => one - other)[Math.floor((figures.length - 1) * share)] ?? 0;
const shown = (figures: readonly number[]): string =>
  `${at(0.5, figures).toFixed(2)} | ${at(0.95, figures).toFixed(2)}`;

/** Words of one mail, with a code and a telephone number of its own. */
const textOf = (number: number): string => {
  const { body } = madeMail(number, [900, 1_100]);
  return `${body}\nYour order ${100_000 + number * 7919}-${(number * 31) % 97}, call +49 170 ${1_000_000 + number * 4241}.`;
};

/** Returns a question of 300 characters whose words are in many mails, with a date and a number. */
function question(number: number): string {
  const { body } = madeMail(100_000 + number, [900]);
  return `${body.replace(/\s+/g, " ").slice(0, 270)} in November 2026, ${number % 60} euros`;
}

/** Returns a question as short as those of people. Its words are frequent and may be pieces. */
const shortQuestion = (number: number): string => question(number).slice(0, 60);

try {
  await fill(directory, mails, [900, 1_100]);
  const url = pathToFileURL(join(directory, "countersign.db")).href;
  const database = openDatabase({ url, migrations: mainMigrations, log: quietLog });
  const lastsMs = 86_400_000;
  const key = Buffer.alloc(32, 3);
  const flow = createInformationFlow({
    ledger: createLedger(database, { lastsMs }),
    key,
    maker: createMarksThread(key),
    marks: createRecordingFiles(join(directory, "marks"), { key, lastsMs }),
    nameOf: () => Promise.resolve(""),
    log: quietLog,
  });
  const source = { kind: "mail", writtenBy: "other", verified: false } as const;
  for (let number = 0; number < mails; number += 10) {
    const ten = Array.from({ length: 10 }, (_, more) => number + more);
    void flow.given(
      "local",
      ten.map((each) => ({ ...source, id: `em_${each}`, texts: [textOf(each)] })),
    );
    await flow.idle();
  }
  const examine = (text: string) =>
    flow.examine({
      principal: "local",
      destination: "web_search",
      text,
      setting: "ask-if-private",
    });
  let asked = 0;
  /** Measures comparisons after 40 that are not measured. */
  const compare = async (questionOf: (number: number) => string): Promise<number[]> => {
    const times: number[] = [];
    for (let number = 0; number < 40 + searches; number += 1) {
      const text = questionOf(number);
      const start = performance.now();
      const isAsked = (await examine(text)) !== undefined;
      if (number < 40) continue;
      times.push(performance.now() - start);
      if (isAsked) asked += 1;
      void flow.sent({ principal: "local", destination: "web_search", text });
      await flow.idle();
    }
    return times;
  };
  const compared = await compare(question);
  const comparedShort = await compare(shortQuestion);
  const { rows } = await database.read({
    sql: "SELECT sum(bytes) AS bytes, count(*) AS entries FROM flow_given",
    args: [],
  });
  const bytes = Number(rows[0]?.["bytes"]);

  const recorded: number[] = [];
  const returned: number[] = [];
  for (let number = 0; number < recordings; number += 1) {
    const text = madeMail(200_000 + number, [32_000]).body.slice(0, 32_000);
    // The main thread's own work: what an event loop is busy with until the recording is stored.
    const busy = performance.eventLoopUtilization();
    const start = performance.now();
    void flow.given("recorded", [{ ...source, id: `em_${number}`, texts: [text] }]);
    returned.push(performance.now() - start);
    await flow.idle();
    recorded.push(performance.eventLoopUtilization(busy).active);
  }
  console.log(
    `Ledger of ${Number(rows[0]?.["entries"])} mails, ${asked} of ${2 * searches} searches ask.\n`,
  );
  console.log("| what | median | p95 |\n|---|---|---|");
  console.log(`| comparison of 300 characters, ms | ${shown(compared)} |`);
  console.log(`| comparison of 60 characters, ms | ${shown(comparedShort)} |`);
  console.log(`| main thread for recording 32 kB, ms | ${shown(recorded)} |`);
  console.log(`| wait of the answer for recording 32 kB, ms | ${shown(returned)} |`);
  console.log(`| ledger of one caller, bytes | ${bytes} | |`);
  await flow.close();
  await database.close();
  process.exitCode =
    at(0.95, compared) <= most.compared &&
    at(0.95, recorded) <= most.recorded &&
    bytes <= most.bytes
      ? 0
      : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
