import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bytesBelow } from "../servers/packed.ts";
import { pathOf } from "../servers/servers.ts";
import { realLengths } from "./mail-corpus.ts";
import { maildir } from "./mail-search.ts";
import { startRaw } from "./stdio-client.ts";

// Imports the same files with `countersign import`, `notmuch new` and `mu index`, one after the other, and searches while
// ours runs. `--messages N` for another number, and `--text BYTES` for texts of one length instead of those of real mail.

const { values } = parseArgs({
  options: { messages: { type: "string", default: "100000" }, text: { type: "string" } },
});
const count = Number(values.messages);
const searchEveryMs = 200;
const limits = { searchMs: 100, bytes: 1.2, ofMuRate: 0.5 };
const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "countersign-import-"));
const [mail, dataDir] = [join(directory, "Mail"), join(directory, "data")];

async function seconds(child: ChildProcess): Promise<number> {
  const before = performance.now();
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`);
  return (performance.now() - before) / 1_000;
}

const start = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] });

/** Searches as a client does until `import` ends. Returns milliseconds. */
async function searchWhile(child: ChildProcess): Promise<number[]> {
  const env = { COUNTERSIGN_DATA_DIR: dataDir, LOG_LEVEL: "error", TOOL_CALLS_PER_MINUTE: "10000" };
  const client = await startRaw([program, "serve"], { ...env, TOOL_CALLS_PER_TURN: "1000" });
  const times: number[] = [];
  for (let turn = 1; child.exitCode === null && turn < 9_000; turn += 1) {
    const traceparent = `00-${String(turn).padStart(32, "0")}-${"1".repeat(16)}-00`;
    const before = performance.now();
    await client.request("tools/call", {
      name: "search_emails",
      arguments: { query: turn % 2 === 0 ? "meeting" : "zebrafinch", limit: 10 },
      _meta: { traceparent },
    });
    times.push(performance.now() - before);
    await new Promise((resolve) => setTimeout(resolve, searchEveryMs));
  }
  await client.close();
  // The first searches open the database.
  return times.slice(3).toSorted((one, other) => one - other);
}

let holds = true;
function line(what: string, measured: string, isHeld = true): void {
  holds &&= isHeld;
  console.log(`| ${what} | ${measured} | ${isHeld ? "holds" : "DOES NOT HOLD"} |`);
}

try {
  maildir(mail, count, values.text === undefined ? await realLengths() : [Number(values.text)]);
  const raw = bytesBelow(join(mail, "cur"));
  console.log(
    `${count} messages, ${(raw / 1e6).toFixed(0)} MB.\n\n| what | measured | |\n|---|---|---|`,
  );
  const importing = start(process.execPath, [program, "import", mail], {
    COUNTERSIGN_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
  });
  const [ours, times] = await Promise.all([seconds(importing), searchWhile(importing)]);
  const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN;
  line("countersign import", `${ours.toFixed(1)} s, ${(count / ours).toFixed(0)} a second`);
  line(
    `search meanwhile, p95 of ${times.length}`,
    `${p95.toFixed(1)} ms (under ${limits.searchMs})`,
    p95 < limits.searchMs,
  );
  const share = bytesBelow(dataDir) / raw;
  const bytes = `${share.toFixed(2)} x the raw bytes (at most ${limits.bytes})`;
  line("database and objects", bytes, share <= limits.bytes);
  if (pathOf("notmuch") !== undefined) {
    const config = join(directory, "notmuch.conf");
    writeFileSync(
      config,
      `[database]\npath=${mail}\n[user]\nname=me\nprimary_email=me@in.example\n`,
    );
    const other = await seconds(start("notmuch", ["new", "--quiet"], { NOTMUCH_CONFIG: config }));
    line("notmuch new", `${other.toFixed(1)} s (ours has to be faster)`, ours < other);
  }
  if (pathOf("mu") !== undefined) {
    const home = `--muhome=${join(directory, "mu")}`;
    await seconds(start("mu", ["init", home, `--maildir=${mail}`]));
    const other = await seconds(start("mu", ["index", "--quiet", home]));
    const rate = other / ours;
    const measured = `${other.toFixed(1)} s; our rate is ${rate.toFixed(2)} x (at least ${limits.ofMuRate})`;
    line("mu index", measured, rate >= limits.ofMuRate);
  }
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
