import { describe, expect, it } from "vitest";
import { killChild } from "../servers/child.ts";
import { newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { type Flow, createFlow } from "./oauth-flow.ts";
import { type Send, startSignInWith } from "./oauth-host.ts";

// The full load: OAUTH_SIGN_INS=200 OAUTH_CALLS=5000.
const signIns = Number(process.env["OAUTH_SIGN_INS"] ?? 12);
const calls = Number(process.env["OAUTH_CALLS"] ?? 120);
const timeout = 60_000 + signIns * 1_000 + calls * 50;
const together = 4;
const accepted = 406;

/** Runs this many tasks, a few at a time. */
async function inParallel(count: number, task: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: together }, worker));
}

interface Granted {
  flow: Flow;
  clientId: string;
  access: unknown;
  refresh: unknown;
}

describe("two replicas on one database", () => {
  it("lose no grant when one is killed during sign-ins and calls", { timeout }, async (t) => {
    const home = newHome(t);
    const first = await startSignInWith(startHttp, home);
    const replicas: Send[] = [first.send, (await startSignInWith(startHttp, home)).send];
    const dead = new Set<Send>();
    let turn = 0;
    // Like a proxy in front: the next replica in turn, and another one if that does not answer.
    const send: Send = async (url, init) => {
      const left = replicas.filter((each) => !dead.has(each));
      const chosen = left[turn++ % left.length];
      if (chosen === undefined) throw new Error("no replica is left");
      try {
        return await chosen(url, init);
      } catch (thrown) {
        if (chosen !== first.send) throw thrown;
        dead.add(first.send);
        return await send(url, init);
      }
    };
    const granted: Granted[] = [];
    let cutOff = 0;
    await inParallel(signIns, async (index) => {
      if (index === Math.floor(signIns / 2)) await killChild(first.at.child);
      // A sign-in whose response the killed replica did not send is lost, and the person starts again.
      for (let tries = 0; tries < 3; tries += 1) {
        const flow = createFlow(send);
        const done = await flow.tokens().catch(() => undefined);
        if (done?.granted.status === 200) {
          const { access_token: access, refresh_token: refresh } = done.granted.body;
          granted.push({ flow, clientId: done.clientId, access, refresh });
          return;
        }
        cutOff += 1;
      }
    });
    expect(cutOff).toBeLessThanOrEqual(together);
    expect(granted).toHaveLength(signIns);
    const statuses = new Map<number, number>();
    await inParallel(calls, async (index) => {
      const held = granted[index % signIns];
      const status = await held?.flow.call(held.access);
      statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1);
    });
    expect([...statuses]).toEqual([[accepted, calls]]);
    await inParallel(signIns, async (index) => {
      const { flow, clientId, refresh } = granted[index]!;
      const renewed = await flow.refresh(clientId, refresh);
      expect([renewed.status, await flow.call(renewed.body["access_token"])]).toEqual([
        200,
        accepted,
      ]);
    });
  });

  it("accept each code and refresh token once", { timeout }, async (t) => {
    const home = newHome(t);
    const one = createFlow((await startSignInWith(startHttp, home)).send, "81.2.69.1");
    const other = createFlow((await startSignInWith(startHttp, home)).send, "81.2.69.2");
    const wins = (answers: { status: number }[]) =>
      answers.filter(({ status }) => status === 200).length;
    const clientId = await one.client();
    await inParallel(signIns, async () => {
      const code = (await one.signIn(clientId)).searchParams.get("code");
      const verifier = { code_verifier: one.verifier };
      const exchanged = [one, other, one, other].map((flow) =>
        flow.exchange(clientId, code, verifier),
      );
      expect(wins(await Promise.all(exchanged))).toBeLessThanOrEqual(1);
      const again = (await one.signIn(clientId)).searchParams.get("code");
      const { body } = await other.exchange(clientId, again, verifier);
      const refreshed = [one, other, one, other].map((flow) =>
        flow.refresh(clientId, body["refresh_token"]),
      );
      expect(wins(await Promise.all(refreshed))).toBeLessThanOrEqual(1);
      // The replay ended the grant on every replica.
      expect(await one.call(body["access_token"])).toBe(401);
      expect((await other.refresh(clientId, body["refresh_token"])).status).toBe(400);
    });
  });
});
