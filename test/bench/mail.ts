import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { realLengths } from "./mail-corpus.ts";
import { measureIngest } from "./mail-ingest.ts";
import { measureMemory } from "./mail-memory.ts";
import { fill, measureSearches } from "./mail-search.ts";

// Compares intake with a server that stores nothing, and searches with notmuch and mu on the same messages. Also
// measures the memory for a large message. All of this is one run, because the machines are shared. `--messages N` sets
// another size. `--only ingest`, `--only memory` or `--only search` runs one part.

const { values } = parseArgs({
  options: { messages: { type: "string", default: "100000" }, only: { type: "string" } },
});
const count = Number(values.messages);
/** Limit of a search in milliseconds. It is higher for a million messages. */
const most = count > 100_000 ? 50 : 20;
const directory = mkdtempSync(join(tmpdir(), "countersign-bench-"));
let holds = true;

function at(share: number, figures: readonly number[] | undefined): string {
  if (figures === undefined || figures.length === 0) return "-";
  const sorted = figures.toSorted((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

const both = (figures: readonly number[] | undefined): string =>
  `${at(0.5, figures)} (${at(0.95, figures)})`;

try {
  const measures = (what: string): boolean => (values.only ?? what) === what;
  if (measures("ingest")) {
    console.log("Messages of 5 kB over SMTP, a second; medians. At least 0.5 x.\n");
    console.log("| connections | ours | stores nothing | ratio | ours until findable |");
    console.log("|---|---|---|---|---|");
    for (const { connections, ours, bare, searchable } of await measureIngest(directory)) {
      const ratio = at(
        0.5,
        ours.map((rate, run) => (rate / bare[run]!) * 100),
      );
      if (Number(ratio) < 50) holds = false;
      console.log(
        `| ${connections} | ${at(0.5, ours)} | ${at(0.5, bare)} | ${ratio} % | ${at(0.5, searchable)} |`,
      );
    }
  }
  if (measures("memory")) {
    console.log(
      "\nResident memory of `ingest` while a large message passes, MB. At most 300; with",
    );
    console.log("attachments at most 6 x the message, above what the idle process has.\n");
    console.log("| message | MB | idle | peak | x message | above idle, x message |");
    console.log("|---|---|---|---|---|---|");
    for (const { what, megabytes, idle, peak } of await measureMemory(directory)) {
      const [all, above] = [peak / megabytes, (peak - idle) / megabytes];
      if (peak > 300 || (what === "three attachments" && above > 6)) holds = false;
      const figures = [megabytes, idle, peak, all, above].map((figure) => figure.toFixed(1));
      console.log(`| ${what} | ${figures.join(" | ")} |`);
    }
  }
  if (measures("search")) {
    const searched = join(directory, "searched");
    const lengths = await realLengths();
    await fill(searched, count, lengths);
    console.log(`\nSearches in ${count} messages, ms: p50 (p95). Those with a star have to`);
    console.log(`be at most ${most}, and faster than both other programs.\n`);
    console.log("| search | found | ours | notmuch | mu |\n|---|---|---|---|---|");
    for (const { what, isPromised, found, ours, notmuch, mu } of await measureSearches(
      searched,
      count,
      lengths,
    )) {
      const isSlower = (share: number): boolean =>
        [notmuch, mu].some((other) => Number(at(share, other)) <= Number(at(share, ours)));
      if (isPromised && (Number(at(0.95, ours)) > most || isSlower(0.5) || isSlower(0.95)))
        holds = false;
      const name = isPromised ? `${what} *` : what;
      console.log(`| ${name} | ${found} | ${both(ours)} | ${both(notmuch)} | ${both(mu)} |`);
    }
  }
  if (!holds) console.log("\nDOES NOT HOLD");
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
