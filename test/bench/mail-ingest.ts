import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { smtpSession, startIngest, storesAt } from "../servers/ingest.ts";
import { untilNothingPends } from "./until-nothing-pends.ts";

const runs = 7;
const messagesPerRun = { 1: 600, 16: 960 } as const;
type Connections = keyof typeof messagesPerRun;
const bareServer = fileURLToPath(new URL("./bare-smtp-server.mjs", import.meta.url));
const line = "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor\r\n";

export interface Rates {
  connections: number;
  /** Messages a second that were acknowledged, run by run. */
  ours: number[];
  bare: number[];
  /** Messages a second from the first byte of the run until the last message could be found. */
  searchable: number[];
}

let serial = 0;

/** Makes a message of 5 kB with text and HTML, as most mail has. */
function message(): Uint8Array {
  serial += 1;
  const text = `word${serial} ${line.repeat(30)}`;
  return Buffer.from(
    [
      "From: Ann <ann@example.org>",
      "To: me@in.example",
      `Subject: number ${serial}`,
      "Date: Tue, 3 Feb 2026 04:05:06 +0000",
      `Message-ID: <${serial}@example.org>`,
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      `--b\r\nContent-Type: text/plain\r\n\r\n${text}`,
      `--b\r\nContent-Type: text/html\r\n\r\n<p>${text}</p>`,
      "--b--",
      "",
    ].join("\r\n"),
  );
}

/** Connections are there before the clock starts: smtp-server lets each new one wait 100 ms, of ours and of the bare. */
async function send(port: number, connections: number, count: number): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: connections }, () => smtpSession(port)));
  let left = count;
  const before = performance.now();
  await Promise.all(
    sessions.map(async (session) => {
      while (left-- > 0) {
        const reply = await session.send(message());
        if (!reply.startsWith("250")) throw new Error(reply);
      }
    }),
  );
  const ms = performance.now() - before;
  for (const session of sessions) session.close();
  return ms;
}

async function startBare(): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(process.execPath, [bareServer], { stdio: ["ignore", "inherit", "pipe"] });
  const [said] = (await once(createInterface({ input: child.stderr }), "line")) as [string];
  return { port: Number(/:(\d+) for/.exec(said)?.[1]), child };
}

/** Alternates many short runs of both servers. On a shared machine, two long runs would have different loads. */
export async function measureIngest(dataDir: string): Promise<Rates[]> {
  const bare = await startBare();
  const ours = await startIngest(dataDir);
  const stores = storesAt(dataDir);
  try {
    // Warms up until the frequent code is compiled in all threads.
    await send(bare.port, 4, 2_000);
    await send(ours.port, 4, 2_000);
    await untilNothingPends(stores);
    const all: Rates[] = [];
    for (const connections of [1, 16] satisfies Connections[]) {
      const rates: Rates = { connections, ours: [], bare: [], searchable: [] };
      const count = messagesPerRun[connections];
      const rate = (ms: number): number => (count / ms) * 1_000;
      for (let run = 0; run < runs; run += 1) {
        rates.bare.push(rate(await send(bare.port, connections, count)));
        const before = performance.now();
        rates.ours.push(rate(await send(ours.port, connections, count)));
        await untilNothingPends(stores);
        rates.searchable.push(rate(performance.now() - before));
      }
      all.push(rates);
    }
    return all;
  } finally {
    bare.child.kill();
    await stores.close();
    await ours.stop("SIGTERM");
  }
}
