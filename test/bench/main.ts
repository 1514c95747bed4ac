import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encode } from "gpt-tokenizer";
import { listing } from "../../src/core/tool/catalog.ts";
import { contracts } from "../../src/tools/catalog.ts";
import { type ListSize, listSize, otherSizes } from "./other-servers.ts";
import { coldStarts } from "./install.ts";
import { httpEras, httpRates } from "./http.ts";
import { everythingConfigured, withAssistant } from "./configured.ts";
import { decisionTimes } from "./decide.ts";
import { signedInTimes } from "./oauth.ts";
import { firstTokens } from "./first-token.ts";
import { onOneProcessor } from "./one-processor.ts";
import { measurePage } from "./page.ts";
import { startRaw } from "./stdio-client.ts";

// Ratios against a bare SDK v2 server in the same run, one after the other: these machines are shared, and only what is
// measured side by side can be compared.

const runs = 9;
/** Starts of each server, because one process is a little faster or slower than the next during its whole life. */
const callStarts = 9;
/** Many short runs in turn: what else the machine does changes within a second, and takes both alike. */
const callRuns = 9;
const callsPerRun = 600;
/** Calls before the measurement, after which both are compiled. A session has thousands of calls. */
const warmUpCalls = 5_000;
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const bare = [here("./bare-server.mjs")];
const ours = [here("../../bundle/main.js"), "serve"];
const oursWithNoOp = [here("./noop-server.mjs")];
const dataDir = mkdtempSync(join(tmpdir(), "countersign-bench-"));
const env = { COUNTERSIGN_DATA_DIR: dataDir, LOG_LEVEL: "error" };

interface Row {
  what: string;
  measured: string;
  limit: string;
  holds: boolean;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function start(
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<{ ms: number; bytes: number }> {
  const before = performance.now();
  const client = await startRaw(args, { ...env, ...more });
  await client.request("tools/list", {});
  const ms = performance.now() - before;
  const bytes = client.residentBytes();
  await client.close();
  return { ms, bytes };
}

async function perCall(
  client: Awaited<ReturnType<typeof startRaw>>,
  calls: number,
): Promise<number> {
  const before = performance.now();
  for (let call = 0; call < calls; call += 1) {
    await client.request("tools/call", { name: "no_op", arguments: { word: "bench" } });
  }
  return ((performance.now() - before) * 1000) / calls;
}

function ratio(
  what: string,
  unit: string,
  ourMedian: number,
  bareMedian: number,
  most: number,
): Row {
  const value = ourMedian / bareMedian;
  return {
    what,
    measured: `${value.toFixed(2)} x (${ourMedian.toFixed(0)} against ${bareMedian.toFixed(0)} ${unit})`,
    limit: `${most} x`,
    holds: value <= most,
  };
}

async function startRows(): Promise<Row[]> {
  const results: { ours: { ms: number; bytes: number }; bare: { ms: number; bytes: number } }[] =
    [];
  for (let run = 0; run <= runs; run += 1) {
    const result = { ours: await start(ours, everythingConfigured), bare: await start(bare) };
    if (run > 0) results.push(result);
  }
  const of = (who: "ours" | "bare", what: "ms" | "bytes"): number =>
    median(results.map((result) => result[who][what]));
  return [
    ratio(
      "start to first tools/list with everything configured",
      "ms",
      of("ours", "ms"),
      of("bare", "ms"),
      1.1,
    ),
    ratio("resident memory then", "MB", of("ours", "bytes") / 1e6, of("bare", "bytes") / 1e6, 1.2),
  ];
}

async function assistantRows(): Promise<Row[]> {
  const times: { with: number[]; without: number[] } = { with: [], without: [] };
  for (let run = 0; run <= runs; run += 1) {
    const [configured, plain] = [(await start(ours, withAssistant)).ms, (await start(ours)).ms];
    if (run > 0) times.with.push(configured);
    if (run > 0) times.without.push(plain);
  }
  const later = (await firstTokens(dataDir, runs + 1)).slice(1);
  const first: number[] = [];
  for (let run = 0; run < runs; run += 1) first.push(...(await firstTokens(dataDir, 1)));
  const firstToken = (what: string, ms: number): Row => ({
    what: `first token of ${what} after the model's first token`,
    measured: `${ms.toFixed(1)} ms`,
    limit: "30 ms",
    holds: ms <= 30,
  });
  return [
    ratio(
      "start to first tools/list with the assistant configured, against without",
      "ms",
      median(times.with),
      median(times.without),
      1.1,
    ),
    firstToken("a process's first answer", median(first)),
    firstToken("a later answer", median(later)),
  ];
}

async function installRows(): Promise<Row[]> {
  const times = await coldStarts(dataDir);
  const what = "npx -y with an empty cache to first tools/list, against server-filesystem";
  return [ratio(what, "ms", median(times.ours), median(times.other), 1.5)];
}

/**
 * Writes a policy with lists, floors and rules, as a person may have it. Every call is compared with the rules for all
 * tools.
 */
function writePolicy(): string {
  const rule = (index: number) => ({
    id: `drafts-${index}`,
    tool: "delete_file",
    principals: ["local"],
    when: { key: { in: `drafts/${index}/` } },
    expires: new Date(Date.now() + 86_400_000).toISOString(),
    uses: 20,
  });
  const path = join(dataDir, "policy.json");
  const content = {
    deny: ["web_search"],
    riskFloors: { write_file: "high" },
    clients: { "some-agent": { channels: { elicitation: "never" } } },
    rules: Array.from({ length: 100 }, (_, index) => rule(index)),
  };
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
  return path;
}

async function callRows(): Promise<Row[]> {
  const withPolicy = { ...env, POLICY_FILE: writePolicy() };
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let started = 0; started < callStarts; started += 1) {
    const clients = { ours: await startRaw(oursWithNoOp, withPolicy), bare: await startRaw(bare) };
    await perCall(clients.ours, warmUpCalls);
    await perCall(clients.bare, warmUpCalls);
    for (let run = 0; run < callRuns; run += 1) {
      times.ours.push(await perCall(clients.ours, callsPerRun));
      times.bare.push(await perCall(clients.bare, callsPerRun));
    }
    await clients.ours.close();
    await clients.bare.close();
  }
  return [
    ratio(
      "low-risk no-op call over stdio, policy and budgets on",
      "us",
      median(times.ours),
      median(times.bare),
      1.3,
    ),
  ];
}

async function httpRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const era of httpEras) {
    const rates = await httpRates(era, env);
    const [ourRate, bareRate] = [median(rates.ours), median(rates.bare)];
    // Compares neighbouring runs, because the load of the machine changes from one to the next.
    const value = median(rates.ours.map((rate, run) => rate / rates.bare[run]!));
    rows.push({
      what: `low-risk no-op calls over HTTP, ${era}`,
      measured: `${value.toFixed(2)} x (${ourRate.toFixed(0)} against ${bareRate.toFixed(0)} a second)`,
      limit: "at least 0.8 x",
      holds: value >= 0.8,
    });
  }
  return rows;
}

async function signedInRows(): Promise<Row[]> {
  const { fixed, signedIn } = await signedInTimes();
  const value = median(signedIn.map((ms, run) => ms / fixed[run]!));
  return [
    {
      what: "a call over HTTP with a token of OAuth, against a static token",
      measured: `${value.toFixed(2)} x (${median(signedIn).toFixed(0)} ms against ${median(fixed).toFixed(0)} ms for 20 calls)`,
      limit: "1.15 x",
      holds: value <= 1.15,
    },
  ];
}

async function tokenRows(): Promise<Row[]> {
  const client = await startRaw(ours, env);
  const { tools } = (await client.request("tools/list", {})) as { tools: { name: string }[] };
  await client.close();
  const sizes = tools.map((tool) => ({
    name: tool.name,
    tokens: encode(JSON.stringify(tool)).length,
  }));
  const each = sizes.reduce((sum, { tokens }) => sum + tokens, 0) / sizes.length;
  const largest = sizes.toSorted((a, b) => b.tokens - a.tokens)[0];
  return [
    {
      what: "tokens of tools/list, a tool",
      measured: `${each.toFixed(0)} (largest: ${largest?.name} ${largest?.tokens})`,
      limit: "180",
      holds: each <= 180,
    },
  ];
}

/** Tools that a setting of their own adds to the fourteen. */
const further: ReadonlySet<string> = new Set(["ownChat", "reminders", "fileIndex"]);
const fourteen = contracts.filter(({ needs }) => !needs.some((need) => further.has(need)));

/**
 * The list with every account configured, which no machine of a benchmark has. It is made from the contracts, in the
 * form that is sent.
 */
const allTools = (): ListSize =>
  listSize(
    "countersign, every account configured",
    fourteen.map((tool) => {
      const { risk, ...listed } = listing(tool);
      return { ...listed, _meta: { "dev.countersign/risk": risk } };
    }),
  );

function listRow({ tokens }: ListSize): Row {
  return {
    what: `tokens of tools/list, the ${fourteen.length} tools`,
    measured: String(tokens),
    limit: "2500",
    holds: tokens <= 2_500,
  };
}

function printSizes(sizes: readonly ListSize[]): void {
  console.log("\n| tools/list of | tools | tokens | a tool |\n|---|---|---|---|");
  for (const { server, tools, tokens } of sizes) {
    console.log(`| ${server} | ${tools} | ${tokens} | ${(tokens / tools).toFixed(0)} |`);
  }
}

function decideRow(): Row {
  const us = median(decisionTimes());
  return {
    what: "decision on a call with 100 rules, p50",
    measured: `${us.toFixed(1)} us`,
    limit: "50 us",
    holds: us <= 50,
  };
}

async function pageRows(): Promise<Row[]> {
  const { requests, total, afterClick } = await measurePage();
  const [ms, after] = [median(total), median(afterClick)];
  return [
    {
      what: "ticket from call to completed, decided at the page, without the person",
      measured: `${requests} requests, ${ms.toFixed(0)} ms (${after.toFixed(0)} ms after the click)`,
      limit: "3 requests, 1000 ms",
      holds: requests <= 3 && ms <= 1_000,
    },
  ];
}

try {
  const all = allTools();
  const only = process.argv.includes("--assistant") ? [assistantRows] : undefined;
  const measures = process.argv.includes("--tokens")
    ? [() => [listRow(all)]]
    : (only ?? [
        startRows,
        assistantRows,
        installRows,
        () => onOneProcessor(callRows),
        httpRows,
        signedInRows,
        tokenRows,
        () => [listRow(all)],
        () => [decideRow()],
        pageRows,
      ]);
  console.log(`Medians of ${runs} runs.\n`);
  console.log("| what | measured | at most, unless it says otherwise | |\n|---|---|---|---|");
  let holds = true;
  for (const measure of measures) {
    for (const row of await measure()) {
      holds &&= row.holds;
      const verdict = row.holds ? "holds" : "DOES NOT HOLD";
      console.log(`| ${row.what} | ${row.measured} | ${row.limit} | ${verdict} |`);
    }
  }
  printSizes([all, ...(await otherSizes(dataDir))]);
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
