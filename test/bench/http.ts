import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

// Many short runs in turn: on a shared machine two long ones would be measured under different loads.
const runs = 61;
const callsPerRun = 50;
const warmUpCalls = 300;
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const eras = {
  "stateless, 2026-07-28": { version: "2026-07-28", modern: true },
  "session, 2025-11-25": { version: "2025-11-25", modern: false },
} as const;
export type Era = keyof typeof eras;
export const httpEras = Object.keys(eras) as Era[];

/** Calls a second of ours and of the bare server in turn, run by run. */
export async function httpRates(
  era: Era,
  env: Record<string, string>,
): Promise<{ ours: number[]; bare: number[] }> {
  const servers = {
    ours: await start(here("./noop-http-server.mjs"), env),
    bare: await start(here("./bare-http-server.mjs"), {}),
  };
  try {
    const clients = {
      ours: await open(servers.ours.url, era),
      bare: await open(servers.bare.url, era),
    };
    await rate(clients.ours, warmUpCalls);
    await rate(clients.bare, warmUpCalls);
    const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
    for (let run = 0; run < runs; run += 1) {
      rates.ours.push(await rate(clients.ours, callsPerRun));
      rates.bare.push(await rate(clients.bare, callsPerRun));
    }
    return rates;
  } finally {
    servers.ours.child.kill();
    servers.bare.child.kill();
  }
}

async function start(
  program: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, ...env },
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const at = /at (http:\S+)/.exec(said)?.[1];
      if (at !== undefined) resolve(at);
    });
    child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
  });
  return { child, url };
}

export type Call = (method: string, params: object) => Promise<string>;

/** Creates a client without a library, which makes one call at a time over one connection. */
export async function open(
  url: string,
  era: Era,
  { token = "bench-token-0123456789", tool = "no_op" } = {},
): Promise<Call> {
  const { version, modern } = eras[era];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const clientInfo = { name: "bench", version: "0.0.0" };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  let sessionId: string | undefined;
  let id = 0;
  const call: Call = (method, params) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: (id += 1),
        method,
        params: modern ? { ...params, _meta } : params,
      });
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        accept: "application/json, text/event-stream",
        ...(modern && { "mcp-method": method, "mcp-name": tool }),
        ...((modern || sessionId) && { "mcp-protocol-version": version }),
        ...(sessionId && { "mcp-session-id": sessionId }),
      };
      const sent = request(url, { method: "POST", agent, headers }, (response) => {
        const given = response.headers["mcp-session-id"];
        if (typeof given === "string") sessionId = given;
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve(text));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  if (!modern) {
    await call("initialize", { protocolVersion: version, capabilities: {}, clientInfo });
  }
  return call;
}

async function rate(call: Call, calls: number): Promise<number> {
  const before = performance.now();
  for (let made = 0; made < calls; made += 1) {
    const answer = await call("tools/call", { name: "no_op", arguments: { word: "bench" } });
    if (!/"word":"(?:\[[^\]]*\] )?bench/.test(answer)) throw new Error(`no answer: ${answer}`);
  }
  return (calls * 1000) / (performance.now() - before);
}
