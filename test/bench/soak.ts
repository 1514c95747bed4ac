import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { smtpSession, startIngest } from "../servers/ingest.ts";
import { startRaw } from "./stdio-client.ts";

// Simulates a day of mixed use as fast as possible. Each simulated minute writes, reads and lists files and searches
// mail. Every tenth minute brings a message, and every other hour a deletion waits for an absent person. Memory and
// response times of each tenth of the day are compared with the second tenth, when everything is warm. The clock itself
// is not changed.

const minutes = 24 * 60;
const tenths = 10;
const mostGrowth = { memory: 1.15, response: 1.25 };
const dataDir = mkdtempSync(join(tmpdir(), "countersign-soak-"));
const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));
const ingest = await startIngest(dataDir);
const memoryFile = join(dataDir, "memory");
const reporter = new URL("./report-memory.mjs", import.meta.url).href;
const client = await startRaw(["--expose-gc", "--import", reporter, program, "serve"], {
  MEMORY_FILE: memoryFile,
  COUNTERSIGN_DATA_DIR: dataDir,
  LOG_LEVEL: "error",
  TOOL_CALLS_PER_MINUTE: "10000",
  TOOL_CALLS_PER_TURN: "1000",
  APPROVAL_WAIT_MS: "100",
  APPROVAL_OPEN: "never",
});
const session = await smtpSession(ingest.port);

let calls = 0;
async function call(name: string, args: object, mayWait = false): Promise<number> {
  calls += 1;
  const traceparent = `00-${String(calls).padStart(32, "0")}-${"1".repeat(16)}-00`;
  const before = performance.now();
  const answer = (await client.request("tools/call", {
    name,
    arguments: args,
    _meta: { traceparent },
  })) as { isError?: boolean; content: unknown };
  const ms = performance.now() - before;
  if (answer.isError === true && !mayWait)
    throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
  return ms;
}

const message = (number: number): Uint8Array =>
  Buffer.from(
    `From: Ann <ann@example.org>\r\nTo: me@in.example\r\nSubject: number ${number}\r\nMessage-ID: <${number}@soak.example>\r\n\r\n${`Meeting number ${number}. `.repeat(60)}\r\n`,
  );

/** Returns the megabytes in use after a garbage collection. */
async function megabytes(): Promise<number> {
  rmSync(memoryFile, { force: true });
  process.kill(client.pid, "SIGUSR2");
  while (!existsSync(memoryFile)) await new Promise((resolve) => setTimeout(resolve, 20));
  return Number(readFileSync(memoryFile, "utf8")) / 1e6;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

try {
  const rows: { memory: number; response: number; p95: number }[] = [];
  let times: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const key = `notes/${minute}.md`;
    times.push(await call("write_file", { key, content: `minute ${minute}` }));
    // A ledger of what was read grows up to its limit with each new content, which is not what is measured here.
    times.push(await call("read_file", { key: `notes/${minute % 100}.md` }));
    times.push(await call("search_emails", { query: "meeting", limit: 5 }));
    times.push(await call("search_emails", { query: `number ${minute % 50}`, limit: 5 }));
    if (minute % 10 === 0) await session.send(message(minute));
    if (minute % 120 === 7) await call("delete_file", { key }, true);
    if ((minute + 1) % (minutes / tenths) !== 0) continue;
    const p95 = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!;
    rows.push({ memory: await megabytes(), response: median(times), p95 });
    times = [];
  }
  console.log("| tenth | memory, MB | response, ms: p50 | p95 |\n|---|---|---|---|");
  for (const [at, { memory: mb, response, p95 }] of rows.entries())
    console.log(`| ${at + 1} | ${mb.toFixed(1)} | ${response.toFixed(2)} | ${p95.toFixed(2)} |`);
  const [warm, last] = [rows[1]!, rows.at(-1)!];
  const growth = { memory: last.memory / warm.memory, response: last.response / warm.response };
  const holds = growth.memory <= mostGrowth.memory && growth.response <= mostGrowth.response;
  console.log(
    `\n${calls} calls. The last tenth against the second: memory ${growth.memory.toFixed(2)} x (at most ${mostGrowth.memory}), response ${growth.response.toFixed(2)} x (at most ${mostGrowth.response}): ${holds ? "holds" : "DOES NOT HOLD"}`,
  );
  process.exitCode = holds ? 0 : 1;
} finally {
  session.close();
  await client.close();
  await ingest.stop("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}
