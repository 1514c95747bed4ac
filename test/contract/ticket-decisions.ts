import { beforeEach, describe, expect, it } from "vitest";
import type { Tickets } from "../../src/core/approvals/ticket.ts";
import {
  approve,
  deny,
  done,
  minute,
  over,
  request,
  ticketsIn,
  withheldError,
} from "./ticket-fixtures.ts";

/** Tests the second half of the requirements for every store of tickets: from the question to the end of the run. */
export function ticketDecisionsContract(name: string, makeTickets: () => Promise<Tickets>): void {
  describe(`${name} as the store of decisions`, () => {
    let tickets: Tickets;
    beforeEach(async () => {
      tickets = await makeTickets();
    });

    const statusOf = async (ticketId: string) => (await tickets.find(ticketId))?.status;
    const { opened, approved, running } = ticketsIn(() => tickets);

    describe("a withdrawn request", () => {
      it("has ended with its error, and cannot be decided", async () => {
        const { ticketId } = await opened();
        expect(await tickets.withdraw(ticketId, withheldError)).toBe(true);
        expect(await tickets.find(ticketId)).toMatchObject({
          status: "expired",
          error: withheldError,
        });
        expect((await tickets.decide(ticketId, approve, minute)).won).toBe(false);
        expect(await tickets.withdraw(ticketId, withheldError)).toBe(false);
      });

      it("was pending: a decided one is not withdrawn", async () => {
        const { ticketId } = await approved();
        expect(await tickets.withdraw(ticketId, withheldError)).toBe(false);
        expect(await statusOf(ticketId)).toBe("approved");
      });
    });

    describe("the question to the person", () => {
      it("is asked once, and found by its state", async () => {
        const { ticketId } = await opened();
        expect(await tickets.putQuestion(ticketId, "state 1", minute)).toBe(true);
        expect(await tickets.putQuestion(ticketId, "state 2", minute)).toBe(false);
        const asked = await tickets.findQuestion("state 1");
        expect(asked).toMatchObject({ ticketId, question: { answered: "no" } });
        expect(await tickets.findQuestion("state 2")).toBeUndefined();
      });

      it("is asked a second time once, and then still accepts its answer [elicitation.no-answer]", async () => {
        const { ticketId } = await opened();
        await tickets.putQuestion(ticketId, "state", minute);
        expect(await tickets.repeatQuestion(ticketId, "other")).toBe(false);
        expect(await tickets.repeatQuestion(ticketId, "state")).toBe(true);
        expect(await tickets.repeatQuestion(ticketId, "state")).toBe(false);
        expect(await tickets.findQuestion("state")).toMatchObject({
          ticketId,
          question: { answered: "again" },
        });
        expect(await tickets.putQuestion(ticketId, "state 2", minute)).toBe(false);
        expect((await tickets.decide(ticketId, approve, minute, "state")).won).toBe(true);
        expect(await tickets.repeatQuestion(ticketId, "state")).toBe(false);
      });

      it("is asked again after no answer came in time, and the late answer has no effect", async () => {
        const { ticketId } = await opened();
        await tickets.putQuestion(ticketId, "late", over);
        expect(await tickets.findQuestion("late")).toBeUndefined();
        expect(await tickets.closeQuestion(ticketId, "late")).toBe(false);
        expect((await tickets.decide(ticketId, approve, minute, "late")).won).toBe(false);
        expect(await tickets.putQuestion(ticketId, "second", minute)).toBe(true);
        expect(await tickets.findQuestion("late")).toBeUndefined();
        expect((await tickets.findQuestion("second"))?.ticketId).toBe(ticketId);
      });

      it("is not asked about a decided, expired or absent ticket", async () => {
        const { ticketId } = await approved();
        expect(await tickets.putQuestion(ticketId, "state", minute)).toBe(false);
        const late = request();
        await tickets.open(late, over);
        expect(await tickets.putQuestion(late.ticketId, "state", minute)).toBe(false);
        expect(await tickets.putQuestion("ap_none", "state", minute)).toBe(false);
      });

      it("answered with `not here` leaves the ticket open and is not repeated [elicitation.asked-once]", async () => {
        const { ticketId } = await opened();
        await tickets.putQuestion(ticketId, "state", minute);
        expect(await tickets.closeQuestion(ticketId, "state")).toBe(true);
        expect(await tickets.closeQuestion(ticketId, "state")).toBe(false);
        expect(await tickets.findQuestion("state")).toBeUndefined();
        expect(await tickets.putQuestion(ticketId, "state 2", minute)).toBe(false);
        expect((await tickets.decide(ticketId, approve, minute, "state")).won).toBe(false);
        expect(await tickets.find(ticketId)).toMatchObject({
          status: "pending",
          question: { answered: "elsewhere" },
        });
        expect((await tickets.decide(ticketId, approve, minute)).won).toBe(true);
      });

      it("rejects a foreign state, which consumes nothing", async () => {
        const { ticketId } = await opened();
        const other = await opened();
        await tickets.putQuestion(ticketId, "mine", minute);
        await tickets.putQuestion(other.ticketId, "foreign", minute);
        expect(await tickets.closeQuestion(ticketId, "foreign")).toBe(false);
        expect((await tickets.decide(ticketId, approve, minute, "foreign")).won).toBe(false);
        expect((await tickets.decide(ticketId, approve, minute, "mine")).won).toBe(true);
        expect((await tickets.findQuestion("foreign"))?.ticketId).toBe(other.ticketId);
      });

      it("is found after another channel has decided, and decides nothing", async () => {
        const { ticketId } = await opened();
        await tickets.putQuestion(ticketId, "state", minute);
        expect((await tickets.decide(ticketId, deny, minute)).won).toBe(true);
        expect(await tickets.findQuestion("state")).toMatchObject({ ticketId, status: "denied" });
        expect((await tickets.decide(ticketId, approve, minute, "state")).won).toBe(false);
      });

      it("is answered once", async () => {
        const { ticketId } = await opened();
        await tickets.putQuestion(ticketId, "state", minute);
        expect((await tickets.decide(ticketId, deny, minute, "state")).won).toBe(true);
        expect((await tickets.decide(ticketId, approve, minute, "state")).won).toBe(false);
        expect(await tickets.findQuestion("state")).toBeUndefined();
        expect(await statusOf(ticketId)).toBe("denied");
      });
    });

    describe("deciding", () => {
      it("lets the first decision win and returns it to the second [channels.first-wins]", async () => {
        const { ticketId } = await opened();
        const first = await tickets.decide(ticketId, approve, minute);
        expect(first).toMatchObject({
          won: true,
          ticket: { status: "approved", decision: approve },
        });
        const second = await tickets.decide(ticketId, deny, minute);
        expect(second).toEqual({ won: false, ticket: first.ticket });
      });

      it("lets one of many simultaneous decisions win", async () => {
        const { ticketId } = await opened();
        const results = await Promise.all(
          Array.from({ length: 8 }, (_, at) =>
            tickets.decide(ticketId, { ...(at % 2 ? approve : deny), by: `${at}` }, minute),
          ),
        );
        const winner = results.findIndex(({ won }) => won);
        expect(results.filter(({ won }) => won)).toHaveLength(1);
        expect(await tickets.find(ticketId)).toMatchObject({ decision: { by: `${winner}` } });
      });

      it("records the decider, the channel and the time of a denial", async () => {
        const { ticketId, createdAt } = await opened();
        const { ticket } = await tickets.decide(ticketId, deny, minute);
        expect(ticket).toMatchObject({ status: "denied", decision: deny });
        const at = "decision" in ticket ? ticket.decision.at.getTime() : 0;
        expect(at).toBeGreaterThanOrEqual(createdAt.getTime());
      });

      it("has no effect on an expired ticket", async () => {
        const late = request();
        await tickets.open(late, over);
        const result = await tickets.decide(late.ticketId, approve, minute);
        expect(result).toMatchObject({ won: false, ticket: { status: "expired" } });
      });

      it("has no effect on an absent ticket", async () => {
        const decision = tickets.decide("ap_none", approve, minute);
        await expect(decision).rejects.toMatchObject({ kind: "not_found" });
      });
    });

    describe("running", () => {
      it("requires an approved ticket with the same settings [tickets.config]", async () => {
        const pending = await opened();
        expect(await tickets.claim(pending.ticketId, "p", "config", minute)).toBeUndefined();
        await tickets.decide(pending.ticketId, deny, minute);
        expect(await tickets.claim(pending.ticketId, "p", "config", minute)).toBeUndefined();
        const { ticketId } = await approved();
        expect(await tickets.claim(ticketId, "p", "other", minute)).toBeUndefined();
        expect(await tickets.claim("ap_none", "p", "config", minute)).toBeUndefined();
        expect(await statusOf(ticketId)).toBe("approved");
      });

      it("is granted to one of many that claim at the same time", async () => {
        const { ticketId } = await approved();
        const claims = Array.from({ length: 8 }, (_, at) =>
          tickets.claim(ticketId, `process ${at}`, "config", minute),
        );
        const won = (await Promise.all(claims)).filter((claimed) => claimed !== undefined);
        expect(won).toHaveLength(1);
        expect(won[0]).toMatchObject({ ticketId, decision: approve, args: { key: "a.txt" } });
      });

      it("is renewed by its own process until its lease lapses", async () => {
        const { ticketId } = await running();
        expect(await tickets.renew(ticketId, "process 2", minute)).toBe(false);
        expect(await tickets.renew(ticketId, "process 1", 2 * minute)).toBe(true);
        const ticket = await tickets.find(ticketId);
        const left = ticket?.status === "running" ? ticket.leaseUntil.getTime() - Date.now() : 0;
        expect(left).toBeGreaterThan(minute);
        expect(await tickets.renew(ticketId, "process 1", over)).toBe(true);
        expect(await statusOf(ticketId)).toBe("unknown");
        expect(await tickets.renew(ticketId, "process 1", minute)).toBe(false);
      });

      it("ends with its result, which is delivered once", async () => {
        const { ticketId } = await running();
        expect(await tickets.deliver(ticketId)).toBe(false);
        expect(await tickets.finish(ticketId, "process 1", done)).toBe(true);
        expect(await tickets.find(ticketId)).toMatchObject({ ...done, delivered: false });
        const handed = await Promise.all([tickets.deliver(ticketId), tickets.deliver(ticketId)]);
        expect(handed.filter(Boolean)).toHaveLength(1);
        expect(await tickets.find(ticketId)).toMatchObject({ ...done, delivered: true });
      });

      it("ends with its whole error", async () => {
        const { ticketId } = await running();
        const error = {
          kind: "conflict",
          message: "It was changed.",
          retryable: false,
          sideEffects: "none",
          hint: "Read it again.",
          retryAfterSeconds: 5,
          approval: {
            id: ticketId,
            tool: "delete_file",
            status: "running",
            fingerprint: "ABCD-EFGH",
            expiresAt: "2026-01-01T00:00:00.000Z",
            answered: "approve (terminal)",
          },
        } as const;
        expect(await tickets.finish(ticketId, "process 1", { status: "failed", error })).toBe(true);
        const ticket = await tickets.find(ticketId);
        expect(ticket).toMatchObject({ status: "failed" });
        expect(ticket).toHaveProperty("error", error);
        expect(await tickets.deliver(ticketId)).toBe(false);
      });

      it("is ended once, only by its holder", async () => {
        const { ticketId } = await running();
        expect(await tickets.finish(ticketId, "process 2", done)).toBe(false);
        expect(
          await tickets.finish(ticketId, "process 1", { status: "unknown", error: withheldError }),
        ).toBe(true);
        expect(await tickets.finish(ticketId, "process 1", done)).toBe(false);
        expect(await statusOf(ticketId)).toBe("unknown");
        const waiting = await approved();
        expect(await tickets.finish(waiting.ticketId, "process 1", done)).toBe(false);
      });

      it("keeps why its outcome is unknown", async () => {
        const { ticketId } = await running();
        await tickets.finish(ticketId, "process 1", { status: "unknown", error: withheldError });
        expect(await tickets.find(ticketId)).toMatchObject({ error: withheldError });
      });

      it("accepts a late result even after a new request was opened", async () => {
        const { ticketId } = await running(over, { digest: "same" });
        const second = await opened({ digest: "same" });
        expect(await tickets.finish(ticketId, "process 1", done)).toBe(true);
        expect(await tickets.find(ticketId)).toMatchObject(done);
        expect(await tickets.find(second.ticketId)).toEqual(second);
      });
    });
  });
}
