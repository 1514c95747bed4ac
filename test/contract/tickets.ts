import { beforeEach, describe, expect, it } from "vitest";
import type { Tickets } from "../../src/core/approvals/ticket.ts";
import { approve, deny, done, minute, over, request, ticketsIn } from "./ticket-fixtures.ts";

/**
 * Tests the requirements for every store of tickets. No test waits: lifetimes of zero end immediately.
 * @param makeTickets an empty store for each test
 */
export function ticketsContract(name: string, makeTickets: () => Promise<Tickets>): void {
  describe(`${name} as the store of tickets`, () => {
    let tickets: Tickets;
    beforeEach(async () => {
      tickets = await makeTickets();
    });

    const statusOf = async (ticketId: string) => (await tickets.find(ticketId))?.status;

    const { opened, approved, running } = ticketsIn(() => tickets);

    describe("opening", () => {
      it("stores a request unchanged", async () => {
        const asked = request();
        const { ticket, joined } = await tickets.open(asked, minute);
        expect(joined).toBe(false);
        expect(ticket).toMatchObject({ ...asked, status: "pending" });
        expect(ticket.expiresAt.getTime() - ticket.createdAt.getTime()).toBe(minute);
        expect(await tickets.find(asked.ticketId)).toEqual(ticket);
      });

      it("keeps that there was no target", async () => {
        const { ticketId } = await opened({ target: undefined });
        expect((await tickets.find(ticketId))?.target).toBeUndefined();
      });

      it("keeps that a request follows an unknown run", async () => {
        const effect = { ...request().effect, followsUnknownRun: true };
        const { ticketId } = await opened({ effect });
        expect((await tickets.find(ticketId))?.effect).toEqual(effect);
      });

      it("returns undefined for an absent ticket", async () => {
        expect(await tickets.find("ap_none")).toBeUndefined();
      });

      it("lets only an identical call join", async () => {
        const first = await opened({ digest: "same" });
        const again = await tickets.open(request({ digest: "same" }), minute);
        expect(again).toEqual({ ticket: first, joined: true });
        for (const other of [
          { digest: "same", principal: "alice" },
          { digest: "same", configHash: "other" },
          { digest: "other" },
        ]) {
          expect((await tickets.open(request(other), minute)).joined).toBe(false);
        }
      });

      it("opens one ticket for many simultaneous identical calls", async () => {
        const calls = Array.from({ length: 8 }, () =>
          tickets.open(request({ digest: "same" }), minute),
        );
        const results = await Promise.all(calls);
        expect(results.filter(({ joined }) => !joined)).toHaveLength(1);
        expect(new Set(results.map(({ ticket }) => ticket.ticketId)).size).toBe(1);
      });

      it("joins an approved or running ticket, but no ended one", async () => {
        const { ticketId } = await approved({ digest: "same" });
        const join = async () => (await tickets.open(request({ digest: "same" }), minute)).joined;
        expect(await join()).toBe(true);
        await tickets.claim(ticketId, "process 1", "config", minute);
        expect(await join()).toBe(true);
        await tickets.finish(ticketId, "process 1", done);
        expect(await join()).toBe(false);
      });
    });

    describe("time", () => {
      it("expires a pending ticket in every view, and allows a new one", async () => {
        const asked = request({ digest: "same" });
        expect((await tickets.open(asked, over)).ticket.status).toBe("expired");
        expect(await statusOf(asked.ticketId)).toBe("expired");
        expect((await tickets.findIdentical(asked)).ticket?.status).toBe("expired");
        expect(await tickets.list({ statuses: ["pending"], limit: 9 })).toEqual([]);
        expect(await tickets.list({ statuses: ["expired"], limit: 9 })).toHaveLength(1);
        const again = await tickets.open(request({ digest: "same" }), minute);
        expect(again).toMatchObject({ joined: false, ticket: { status: "pending" } });
        expect(await statusOf(asked.ticketId)).toBe("expired");
      });

      it("expires an unused approval", async () => {
        const { ticketId } = await opened();
        const { won, ticket } = await tickets.decide(ticketId, approve, over);
        expect(won).toBe(true);
        expect(ticket.status).toBe("expired");
        expect(await tickets.claim(ticketId, "process 1", "config", minute)).toBeUndefined();
        expect(ticket).not.toHaveProperty("decision");
      });

      it("marks a run whose process stopped as unknown, and it is not repeated", async () => {
        const { ticketId } = await running(over, { digest: "same" });
        const ticket = await tickets.find(ticketId);
        expect(ticket).toMatchObject({ status: "unknown", decision: approve });
        expect(await tickets.claim(ticketId, "process 2", "config", minute)).toBeUndefined();
        expect((await tickets.open(request({ digest: "same" }), minute)).joined).toBe(false);
        expect(await tickets.find(ticketId)).toEqual(ticket);
      });
    });

    describe("finding", () => {
      it("finds the newest ticket of an identical call, with the time", async () => {
        const before = Date.now();
        const call = { principal: "local", digest: "same", configHash: "config" };
        const nothing = await tickets.findIdentical(call);
        expect(nothing.ticket).toBeUndefined();
        expect(Math.abs(nothing.now.getTime() - before)).toBeLessThan(minute);
        const first = await opened(call);
        await tickets.decide(first.ticketId, deny, minute);
        const second = await opened(call);
        const found = await tickets.findIdentical(call);
        expect(found.ticket?.ticketId).toBe(second.ticketId);
        expect(found.now.getTime()).toBeGreaterThanOrEqual(second.createdAt.getTime());
        const foreign = await tickets.findIdentical({ ...call, principal: "alice" });
        expect(foreign.ticket).toBeUndefined();
      });

      it("finds the newest ticket that ran, even after unapproved ones", async () => {
        const call = { principal: "local", digest: "same", configHash: "config" };
        const refuse = async () => tickets.decide((await opened(call)).ticketId, deny, minute);
        const ran = async () => (await tickets.findIdentical(call)).ran;
        await refuse();
        expect(await ran()).toBeUndefined();
        const { ticketId: lost } = await approved(call);
        await tickets.claim(lost, "process 1", "config", over);
        await refuse();
        expect(await ran()).toMatchObject({ ticketId: lost, status: "unknown" });
        const { ticketId } = await approved(call);
        await tickets.claim(ticketId, "process 1", "config", minute);
        expect(await ran()).toMatchObject({ ticketId: lost });
        await tickets.finish(ticketId, "process 1", done);
        await refuse();
        expect(await ran()).toMatchObject({ ticketId, status: "done" });
      });

      it("lists the newest first, by status and principal, up to the limit", async () => {
        const first = await opened({ principal: "alice" });
        const second = await approved({ principal: "bob" });
        const third = await opened({ principal: "alice" });
        const ids = async (filter: Parameters<Tickets["list"]>[0]) =>
          (await tickets.list(filter)).map(({ ticketId }) => ticketId);
        expect(await ids({ limit: 9 })).toEqual([third.ticketId, second.ticketId, first.ticketId]);
        expect(await ids({ limit: 1 })).toEqual([third.ticketId]);
        expect(await ids({ principal: "alice", limit: 9 })).toEqual([
          third.ticketId,
          first.ticketId,
        ]);
        expect(await ids({ statuses: ["approved", "done"], limit: 9 })).toEqual([second.ticketId]);
        expect(await ids({ statuses: [], limit: 9 })).toEqual([]);
      });
    });

    it("purges tickets that ended long ago, but no open ones", async () => {
      const pending = await opened();
      const waiting = await approved();
      const run = await running();
      const ended = [await running(), await running(over), await opened(), await opened()];
      await tickets.finish(ended[0]!.ticketId, "process 1", done);
      await tickets.decide(ended[2]!.ticketId, deny, minute);
      await tickets.decide(ended[3]!.ticketId, approve, over);
      const late = request();
      await tickets.open(late, over);

      await tickets.purge(minute);
      expect(await tickets.list({ limit: 99 })).toHaveLength(8);
      await tickets.purge(0);
      const left = (await tickets.list({ limit: 99 })).map(({ ticketId }) => ticketId);
      expect(left).toEqual([run.ticketId, waiting.ticketId, pending.ticketId]);
    });
  });
}
