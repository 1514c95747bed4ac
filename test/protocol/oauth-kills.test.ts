import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { killChild } from "../servers/child.ts";
import { newHome } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { createFlow } from "./oauth-flow.ts";
import { type Send, startSignInWith } from "./oauth-host.ts";

const killer = `--import ${fileURLToPath(new URL("../servers/kill-at.mjs", import.meta.url))}`;
/** More than a start with one sign-in ever makes known. */
const mostBoundaries = 300;
const everyBoundary = process.env["KILL_MESSAGES"] === undefined ? 9 : 1;
const accepted = 406;

it(
  "a sign-in survives a kill at any moment, and no code or token is accepted twice",
  { timeout: 900_000 },
  async (t) => {
    let boundary = 4;
    for (let wasKilled = true; wasKilled; boundary += everyBoundary) {
      expect(boundary).toBeLessThan(mostBoundaries);
      wasKilled = false;
      const home = newHome(t);
      const at = String(boundary);
      const first = await startSignInWith(startHttp, home, {
        NODE_OPTIONS: killer,
        KILL_AT: at,
      }).catch(() => undefined);
      let now = first ?? (await startSignInWith(startHttp, home));
      wasKilled = first === undefined;
      const restart = async (): Promise<void> => {
        wasKilled = true;
        now = await startSignInWith(startHttp, home);
      };
      /** Sends a request once. A host or a browser that gets no response tries again. */
      const send: Send = async (url, init) => {
        try {
          return await now.send(url, init);
        } catch (thrown) {
          if (wasKilled) throw thrown;
          await restart();
          return await now.send(url, init);
        }
      };
      const flow = createFlow(send);
      const clientId = await flow.client();
      let code = (await flow.signIn(clientId).catch(() => undefined))?.searchParams.get("code");
      // The person begins again if the page of the killed server has ended.
      code ??= (await flow.signIn(clientId)).searchParams.get("code");
      expect(code, at).toEqual(expect.any(String));
      let granted = await flow.exchange(clientId, code!);
      if (granted.status !== 200) {
        // The code was used, and its response was lost.
        expect([wasKilled, granted.status], at).toEqual([true, 400]);
        code = (await flow.signIn(clientId)).searchParams.get("code");
        granted = await flow.exchange(clientId, code!);
      }
      expect(await flow.call(granted.body["access_token"]), at).toBe(accepted);
      let renewed = await flow.refresh(clientId, granted.body["refresh_token"]);
      if (renewed.status !== 200) {
        expect([wasKilled, renewed.status], at).toEqual([true, 400]);
        const again = await flow.signIn(clientId);
        code = again.searchParams.get("code");
        renewed = await flow.exchange(clientId, code!);
      }
      expect(renewed.status, at).toBe(200);
      // All that was answered is there after one more kill.
      await killChild(now.at.child);
      now = await startSignInWith(startHttp, home);
      expect(await flow.call(renewed.body["access_token"]), at).toBe(accepted);
      const last = await flow.refresh(clientId, renewed.body["refresh_token"]);
      expect(last.status, at).toBe(200);
      expect((await flow.exchange(clientId, code!)).status, at).toBe(400);
      await now.at.stop();
    }
    expect(boundary).toBeGreaterThan(3 * everyBoundary);
  },
);
