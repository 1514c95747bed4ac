import { beforeEach, describe, expect, it } from "vitest";
import { type Tickets, everybody } from "../../src/core/approvals/ticket.ts";
import { minute, ticketsIn } from "./ticket-fixtures.ts";

/** Tests the effect of a pause in every store of tickets. `makeTickets` returns an empty store for each test. */
export function ticketPausesContract(name: string, makeTickets: () => Promise<Tickets>): void {
  describe(`${name} as the store of pauses`, () => {
    let tickets: Tickets;
    beforeEach(async () => {
      tickets = await makeTickets();
    });

    const { approved, running } = ticketsIn(() => tickets);
    const claim = (ticketId: string) => tickets.claim(ticketId, "process 1", "config", minute);

    it("stores who paused, and reports once that it is new", async () => {
      expect(await tickets.pauseOf("alice")).toBeUndefined();
      expect(await tickets.pause("alice", "alice")).toBe(true);
      expect(await tickets.pause("alice", "somebody else")).toBe(false);
      const pause = await tickets.pauseOf("alice");
      expect(pause).toMatchObject({ scope: "alice", by: "alice", reason: "person" });
      expect(await tickets.pauses()).toEqual([pause]);
      expect(Math.abs((pause?.at.getTime() ?? 0) - Date.now())).toBeLessThan(minute);
      expect(await tickets.resume("alice", "operator")).toBe(true);
      expect(await tickets.resume("alice", "operator")).toBe(false);
      expect(await tickets.pauseOf("alice")).toBeUndefined();
      expect(await tickets.pauses()).toEqual([]);
      expect(await tickets.pause("alice", "max")).toBe(true);
      expect(await tickets.pauseOf("alice")).toMatchObject({ by: "max" });
    });

    it("applies to its own scope, and a pause for all callers to each", async () => {
      await tickets.pause("alice", "alice");
      expect(await tickets.pauseOf("bob")).toBeUndefined();
      await tickets.pause(everybody, "operator");
      expect(await tickets.pauseOf("bob")).toMatchObject({ scope: everybody });
      expect(await tickets.pauseOf("alice")).toMatchObject({ scope: everybody });
      expect(await tickets.pauses()).toMatchObject([{ scope: everybody }, { scope: "alice" }]);
      await tickets.resume(everybody, "operator");
      expect(await tickets.pauseOf("alice")).toMatchObject({ scope: "alice" });
    });

    it.each([everybody, "alice"])(
      "allows no claim while %s is paused, and then again",
      async (scope) => {
        const { ticketId } = await approved({ principal: "alice" });
        await tickets.pause(scope, "operator");
        expect(await claim(ticketId)).toBeUndefined();
        expect((await tickets.find(ticketId))?.status).toBe("approved");
        await tickets.resume(scope, "operator");
        expect((await claim(ticketId))?.status).toBe("running");
      },
    );

    it("affects no other caller, and no running call", async () => {
      const { ticketId } = await approved({ principal: "bob" });
      const run = await running(minute, { principal: "alice" });
      await tickets.pause("alice", "alice");
      expect((await claim(ticketId))?.status).toBe("running");
      expect(await tickets.renew(run.ticketId, "process 1", minute)).toBe(true);
    });
  });
}
