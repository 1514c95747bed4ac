import { type TestContext, describe, expect, it, vi } from "vitest";
import { approvalOf } from "./answer.ts";
import { clientKinds, connect, isModern } from "./clients.ts";
import { type Home, newHome, newestTicket, runsOf, storedFile, storedStatus } from "./home.ts";
import { type HttpServer, type Principal, startHttp, startHttpHere } from "./http-server.ts";
import { decideHere } from "./program.ts";
import {
  answering,
  approve,
  dialogOf,
  questionOf,
  raw2025Here,
  raw2026Here,
} from "./raw-server.ts";

const key = "shared.md";

/** Starts one server for alice and bob, in this process unless said otherwise, and writes a file. */
async function setUp(t: TestContext, start: (home: Home) => HttpServer = startHttpHere) {
  const home = newHome(t);
  const at = start(home);
  const as = (principal: Principal, server = at) =>
    raw2026Here(home, { elicitation: true, at: server, as: principal });
  await as("alice").answer("write_file", { key, content: "a plan" });
  return { home, at, as };
}

describe.concurrent("of two callers of one server", () => {
  it("neither sees the other's request: its id counts as absent [http.callers]", async (t) => {
    const { home, at } = await setUp(t);
    const alice = await connect(home, "v2 pinned", { over: "HTTP", at, as: "alice" });
    const bob = await connect(home, "v1", { over: "HTTP", at, as: "bob" });
    const asked = approvalOf(await alice.call("delete_file", { key }));
    const check = (approvalId: string) => bob.call("check_approval", { approvalId });
    const foreign = await check(asked.id);
    expect(foreign.error).toMatchObject({ kind: "not_found", sideEffects: "none" });
    expect(await check("ap_aaaaaaaaaaaaaaaaaaaaaaaaaa")).toEqual(foreign);
    const own = await alice.call("check_approval", { approvalId: asked.id });
    expect(own.output).toMatchObject({ status: "pending" });
    // The identical call of another caller is another request.
    const other = approvalOf(await bob.call("delete_file", { key }));
    expect(other.id).not.toBe(asked.id);
    expect(other.fingerprint).not.toBe(asked.fingerprint);
  });

  it("one does not receive results that were approved for the other", async (t) => {
    const { home, at } = await setUp(t);
    const alice = await connect(home, "v2 auto", { over: "HTTP", at, as: "alice" });
    const bob = await connect(home, "v2 auto", { over: "HTTP", at, as: "bob" });
    const { id } = approvalOf(await alice.call("delete_file", { key }));
    await bob.call("write_file", { key: "another.md", content: "bob's" });
    await decideHere(home, "deny", id);
    expect((await alice.call("delete_file", { key })).error?.kind).toBe("denied");
    // A denial for alice does not apply to bob, and he is not notified of it.
    expect((await bob.call("delete_file", { key })).error?.kind).toBe("approval_required");
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });

  it("one cannot answer the other's question: it is a conflict, and the correct answer still works [http.callers]", async (t) => {
    const { home, as } = await setUp(t);
    const { state } = questionOf(await as("alice").callTool("delete_file", { key }));
    const stolen = await as("bob").answer("delete_file", { key }, answering(state, approve));
    expect(stolen.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
    expect(stolen.error?.approval).toBeUndefined();
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    const right = await as("alice").answer("delete_file", { key }, answering(state, approve));
    expect(right.output).toMatchObject({ deleted: true });
  });

  it("one cannot answer the other's dialog, because her session does not exist for him", async (t) => {
    const { home, at } = await setUp(t);
    const alice = await raw2025Here(home, { elicitation: true, over: "HTTP", at, as: "alice" });
    const bob = await raw2025Here(home, { elicitation: true, over: "HTTP", at, as: "bob" });
    const call = alice.answer("delete_file", { key });
    const { id } = await dialogOf(alice);
    bob.reply(id, approve);
    // His own session takes the message for an answer to a question that it never asked.
    await bob.answer("list_files");
    expect(bob.messages.filter(({ method }) => method === "elicitation/create")).toEqual([]);
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
    alice.reply(id, { action: "accept", content: { decision: "deny" } });
    expect((await call).error?.kind).toBe("denied");
  });

  it("each is named in the audit record and at the terminal", async (t) => {
    const { home, as } = await setUp(t);
    for (const principal of ["alice", "bob"] as const) {
      await as(principal).callTool("delete_file", { key });
    }
    const rows = await home.sql("SELECT principal FROM audit WHERE type = 'asked' ORDER BY seq");
    expect(rows.map(({ principal }) => principal)).toEqual(["alice", "bob"]);
  });
});

/** Starts a process and, in this process, another server on the same database, as behind a load balancer. */
async function setUpReplicas(t: TestContext) {
  const { home, at, as } = await setUp(t, startHttp);
  const replicas: readonly [HttpServer, HttpServer] = [at, startHttpHere(home)];
  await replicas[1].url;
  return { home, as, replicas };
}

describe.concurrent("of two replicas on one database", () => {
  it("one asks and the other receives the result, once [http.replicas]", async (t) => {
    const { home, as, replicas } = await setUpReplicas(t);
    const [one, other] = replicas.map((replica) => as("alice", replica));
    const { state } = questionOf(await one!.callTool("delete_file", { key }));
    const answered = await other!.answer("delete_file", { key }, answering(state, approve));
    expect(answered.output).toMatchObject({ key, deleted: true });
    const again = await one!.answer("delete_file", { key }, answering(state, approve));
    expect(again.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
    expect(await runsOf(home, "delete_file")).toBe(1);
    expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
  });

  it("both run a call once after the same answer arrives at both", async (t) => {
    const { home, as, replicas } = await setUpReplicas(t);
    const clients = replicas.map((replica) => as("alice", replica));
    const { state } = questionOf(await clients[0]!.callTool("delete_file", { key }));
    const answers = await Promise.all(
      clients.map((each) => each.answer("delete_file", { key }, answering(state, approve))),
    );
    expect(answers.filter(({ isError }) => !isError).length).toBeLessThanOrEqual(1);
    expect(await runsOf(home, "delete_file")).toBe(1);
    expect(await storedFile(home, key)).toEqual({ there: false, undoCopies: 1 });
  });

  it.for([0, 1] as const)(
    "a decision at the terminal reaches the call that waits at replica %s",
    async (which, t) => {
      const home = newHome(t, { APPROVAL_WAIT_MS: "30000" });
      const replicas = [startHttp(home), startHttpHere(home)];
      await Promise.all(replicas.map(({ url }) => url));
      const at = replicas[which]!;
      const client = await connect(home, "v2 auto", { over: "HTTP", at });
      await client.call("write_file", { key, content: "a plan" });
      const call = client.call("delete_file", { key });
      const id = await vi.waitFor(() => newestTicket(home), 30_000);
      await decideHere(home, "approve", id);
      expect((await call).output).toMatchObject({ key, deleted: true });
      expect(await runsOf(home, "delete_file")).toBe(1);
    },
  );
});

describe.concurrent("many callers of one server", () => {
  it("of every kind each get the answer to their own call", async (t) => {
    const { home, at } = await setUp(t);
    const callers = (["alice", "bob"] as const).flatMap((as) =>
      clientKinds.map((kind) => ({ as, kind })),
    );
    const answers = await Promise.all(
      callers.map(async ({ as, kind }) => {
        const client = await connect(home, kind, { over: "HTTP", at, as, elicitation: "approve" });
        const own = `${as}-${kind.replace(" ", "-")}.md`;
        await client.call("write_file", { key: own, content: own });
        const deleted = await client.call("delete_file", { key: own });
        return { own, deleted, dialogs: client.dialogs, modern: isModern(kind) };
      }),
    );
    for (const { own, deleted, dialogs } of answers) {
      expect(deleted.output).toMatchObject({ key: own, deleted: true });
      expect(dialogs).toHaveLength(1);
      expect(dialogs[0]?.message).toContain(own);
    }
    expect(await runsOf(home, "delete_file")).toBe(callers.length);
  });
});

describe.concurrent("a server that is stopping", () => {
  it.for(["v2 legacy", "v2 auto"] as const)(
    "answers the call that waits for a person, keeps the request open and exits with 0 (%s)",
    async (kind, t) => {
      const home = newHome(t, { APPROVAL_WAIT_MS: "40000" });
      const at = startHttp(home);
      const client = await connect(home, kind, { over: "HTTP", at });
      await client.call("write_file", { key, content: "a plan" });
      const call = client.call("delete_file", { key });
      const id = await vi.waitFor(() => newestTicket(home), 30_000);
      const began = performance.now();
      at.child.kill("SIGTERM");
      expect((await call).error).toMatchObject({ kind: "approval_required", approval: { id } });
      expect(await at.ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(9_000);
      expect(await storedStatus(home, id)).toBe("pending");
    },
  );

  it("closes clients that only listen [http.stop]", async (t) => {
    const home = newHome(t);
    const at = startHttpHere(home);
    const listener = await raw2025Here(home, { elicitation: true, over: "HTTP", at });
    await listener.answer("list_files");
    await at.stop();
    expect(await at.ended).toEqual({ code: 0, signal: null });
    await expect(listener.answer("list_files")).rejects.toThrow("fetch failed");
  });
});
