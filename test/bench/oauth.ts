import { newHome } from "../protocol/home.ts";
import { startHttp, tokens } from "../protocol/http-server.ts";
import { createFlow } from "../protocol/oauth-flow.ts";
import { origin, secrets, sendTo } from "../protocol/oauth-host.ts";
import { type Call, open } from "./http.ts";

const runs = 31;
const callsPerRun = 20;
const warmUpCalls = 100;

/**
 * Measures calls with a static token and with a token of a sign-in at the same server. Returns milliseconds for each
 * run.
 */
export async function signedInTimes(): Promise<{ fixed: number[]; signedIn: number[] }> {
  const cleanUps: (() => unknown)[] = [];
  const home = newHome({ onTestFinished: (cleanUp) => void cleanUps.unshift(cleanUp) });
  const env = { OAUTH: "on", PUBLIC_URL: origin, APPROVERS: `alice:${secrets.alice}` };
  try {
    const url = await startHttp(home, { env }).url;
    const { granted } = await createFlow(sendTo(url)).tokens();
    const tool = "list_files";
    const era = "stateless, 2026-07-28";
    // Another caller, as each has a budget of its own.
    const fixed = await open(url, era, { token: tokens.bob, tool });
    const token = String(granted.body["access_token"]);
    const signedIn = await open(url, era, { token, tool });
    await spent(fixed, warmUpCalls);
    await spent(signedIn, warmUpCalls);
    const times: { fixed: number[]; signedIn: number[] } = { fixed: [], signedIn: [] };
    for (let run = 0; run < runs; run += 1) {
      times.fixed.push(await spent(fixed, callsPerRun));
      times.signedIn.push(await spent(signedIn, callsPerRun));
    }
    return times;
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}

async function spent(call: Call, calls: number): Promise<number> {
  const before = performance.now();
  for (let made = 0; made < calls; made += 1) {
    const answer = await call("tools/call", { name: "list_files", arguments: {} });
    if (!answer.includes("structuredContent")) throw new Error(`no answer: ${answer}`);
  }
  return performance.now() - before;
}
