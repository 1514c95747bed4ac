import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startRaw } from "./stdio-client.ts";

/** Decisions that are measured, after one that opens the browser. */
const decisions = 9;
const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));

export interface PageCost {
  /** HTTP requests for one decision, from an open page. */
  requests: number;
  /** Milliseconds from the call to its result, and the part of it that passes after the person's click. */
  total: readonly number[];
  afterClick: readonly number[];
}

/** Measures a ticket from the call to its end, decided on the page. The simulated person decides immediately. */
export async function measurePage(): Promise<PageCost> {
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-bench-page-"));
  const opened = join(dataDir, "opened");
  mkdirSync(opened);
  const browser = openedEntry(opened);
  const client = await startRaw([program, "serve"], {
    COUNTERSIGN_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    APPROVAL_WAIT_MS: "30000",
    APPROVAL_OPEN: `cp -t "${opened}"`,
  });
  // Each in a turn of its own: so many requests are more than one turn may bring.
  let turns = 0;
  const call = (name: string, args: object): Promise<unknown> => {
    turns += 1;
    const traceparent = `00-${String(turns).padStart(32, "0")}-${"1".repeat(16)}-00`;
    return client.request("tools/call", { name, arguments: args, _meta: { traceparent } });
  };
  const write = (key: string): Promise<unknown> => call("write_file", { key, content: "x" });
  try {
    await write("first");
    const first = call("delete_file", { key: "first" });
    const decide = await enter(await browser);
    await decide();
    await first;

    const total: number[] = [];
    const afterClick: number[] = [];
    let requests = 0;
    for (let turn = 0; turn < decisions; turn += 1) {
      await write(`file ${turn}`.replace(" ", "-"));
      const began = performance.now();
      const answer = call("delete_file", { key: `file-${turn}` });
      const decided = await decide();
      await answer;
      ({ requests } = decided);
      total.push(performance.now() - began);
      afterClick.push(performance.now() - decided.at);
    }
    return { requests, total, afterClick };
  } finally {
    await client.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Resolves with the address that the program opens in the browser: `APPROVAL_OPEN` copies the file to this directory. */
export function openedEntry(directory: string): Promise<string> {
  return new Promise((resolve) => {
    // Told also of the file that is there but not written yet.
    watch(directory, () => {
      const entry = entryOf(join(directory, "approvals.html"));
      if (entry !== undefined) resolve(entry);
    }).unref();
  });
}

function entryOf(file: string): string | undefined {
  return existsSync(file) ? /url=(http:[^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] : undefined;
}

/**
 * Opens the address in the file. Returns a function that waits for a request on the page, approves it and shows its
 * outcome.
 */
export async function enter(
  entry: string,
): Promise<() => Promise<{ at: number; requests: number }>> {
  const { origin } = new URL(entry);
  const post = (url: string, fields: Record<string, string>): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const page = `${origin}${(await post(entry, {})).headers.get("location")}`;
  return async () => {
    for (;;) {
      const html = await (await fetch(page)).text();
      const request = /name="request"\s+value="([^"]+)"/.exec(html)?.[1];
      const nonce = /name="nonce"\s+value="([^"]+)"/.exec(html)?.[1];
      // The request may not be there yet: the call has only just been sent.
      if (request === undefined || nonce === undefined) continue;
      const at = performance.now();
      const answer = await post(`${page}/decide`, { request, nonce, verdict: "approve" });
      await (await fetch(`${origin}${answer.headers.get("location")}`)).text();
      return { at, requests: 3 };
    }
  };
}
