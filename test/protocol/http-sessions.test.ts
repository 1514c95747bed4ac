import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Reply, good, openServer } from "./opened-server.ts";
import { bearer } from "./http-server.ts";

const sessionOf = ({ headers }: Reply): string => z.string().parse(headers["mcp-session-id"]);

describe.concurrent("a session of the 2025 era", () => {
  it("does not exist for another caller, in the same words as one that never was [http.sessions]", async (t) => {
    const { send } = await openServer(t);
    const session = sessionOf(await send());
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
    const using = (sessionId: string, who: "alice" | "bob", method = "POST") =>
      send({ method, headers: { ...good, ...bearer(who), "mcp-session-id": sessionId } }, ping);
    const absent = await using("00000000-0000-4000-8000-000000000000", "bob");
    expect(absent.status).toBe(404);
    for (const method of ["POST", "GET", "DELETE"]) {
      const foreign = await using(session, "bob", method);
      expect([foreign.status, foreign.body], method).toEqual([404, absent.body]);
    }
    expect((await using(session, "alice")).status).toBe(200);
    expect((await using(session, "alice", "DELETE")).status).toBe(200);
    expect((await using(session, "alice")).status).toBe(404);
  });

  it("closes the longest unused one of the same caller for a new one, and leaves other callers' open", async (t) => {
    const { send } = await openServer(t, { limits: { sessionsPerPrincipal: 2 } });
    const bob = sessionOf(await send({ headers: { ...good, ...bearer("bob") } }));
    const [first, second] = [sessionOf(await send()), sessionOf(await send())];
    const ping = async (sessionId: string, who: "alice" | "bob" = "alice") => {
      const headers = { ...good, ...bearer(who), "mcp-session-id": sessionId };
      return (await send({ headers }, JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" })))
        .status;
    };
    expect(await ping(first)).toBe(200);
    const third = sessionOf(await send());
    expect(await Promise.all([ping(first), ping(second), ping(third)])).toEqual([200, 404, 200]);
    expect(await ping(bob, "bob")).toBe(200);
  });
});
