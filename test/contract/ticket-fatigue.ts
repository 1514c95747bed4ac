import { beforeEach, describe, expect, it, vi } from "vitest";
import { fatigue } from "../../src/core/approvals/fatigue.ts";
import {
  type Ticket,
  type TicketRequest,
  type Tickets,
  everybody,
} from "../../src/core/approvals/ticket.ts";
import { approve, deny, minute, over, request } from "./ticket-fixtures.ts";

/** Waits until the clock shows a later millisecond, because two times within one cannot be ordered. */
async function anotherMillisecond(): Promise<void> {
  const now = Date.now();
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(now), { timeout: 25_000, interval: 1 });
}

/** Tests the protection of the person in every store of tickets. `makeTickets` returns an empty store for each test. */
export function ticketFatigueContract(
  name: string,
  makeTickets: () => Promise<Tickets>,
  /** Makes every request so much older. Milliseconds. */
  ageAll: (ms: number) => Promise<void>,
): void {
  describe(`${name} against fatigue`, () => {
    let tickets: Tickets;
    beforeEach(async () => {
      tickets = await makeTickets();
    });

    const open = async (fields: Partial<TicketRequest> = {}, ttlMs = minute): Promise<Ticket> =>
      (await tickets.open(request(fields), ttlMs)).ticket;

    async function denied(fields: Partial<TicketRequest> = {}) {
      const { ticketId } = await open(fields);
      return await tickets.decide(ticketId, deny, minute);
    }

    it("pauses a principal once after its third denial, and no other principal [fatigue.pause]", async () => {
      expect((await denied({ principal: "alice" })).pause).toBeUndefined();
      expect((await denied({ principal: "bob" })).pause).toBeUndefined();
      expect((await denied({ principal: "alice" })).pause).toBeUndefined();
      expect(await tickets.pauses()).toEqual([]);
      const fourth = await open({ principal: "alice" });
      const { won, pause } = await denied({ principal: "alice" });
      expect(won).toBe(true);
      expect(pause).toMatchObject({ scope: "alice", by: deny.by, reason: "denials" });
      expect(await tickets.pauses()).toEqual([pause]);
      expect((await tickets.decide(fourth.ticketId, deny, minute)).pause).toBeUndefined();
    });

    it("ignores the denial of a request that waited for ten minutes [fatigue.stale]", async () => {
      const [last, ...old] = await Promise.all(
        Array.from({ length: 5 }, () => open({}, 60 * minute)),
      );
      await ageAll(fatigue.freshForMs);
      for (const { ticketId } of old)
        expect((await tickets.decide(ticketId, deny, minute)).pause).toBeUndefined();
      await denied();
      await denied();
      expect((await tickets.decide(last!.ticketId, deny, minute)).pause).toBeUndefined();
      expect((await denied()).pause).toBeDefined();
    });

    // The assistant could ask again, and then everything was paused.
    it("ignores denials after which the assistant may ask again [denial.may-ask-again]", async () => {
      for (let time = 0; time < 4; time += 1) {
        const { ticketId } = await open();
        const again = { ...deny, mayAskAgain: true as const };
        expect((await tickets.decide(ticketId, again, minute)).pause).toBeUndefined();
      }
      await denied();
      await denied();
      expect((await denied()).pause).toBeDefined();
    });

    it("pauses once after simultaneous denials [fatigue.pause]", async () => {
      const opened = await Promise.all(Array.from({ length: 6 }, () => open()));
      const results = await Promise.all(
        opened.map(({ ticketId }) => tickets.decide(ticketId, deny, minute)),
      );
      expect(results.filter(({ pause }) => pause !== undefined)).toHaveLength(1);
      expect(await tickets.pauses()).toHaveLength(1);
    });

    it("ignores approvals and a denial that came too late [fatigue.pause]", async () => {
      const { ticketId } = await open();
      await tickets.decide(ticketId, approve, minute);
      await denied();
      await denied();
      await tickets.decide(ticketId, deny, minute);
      expect(await tickets.pauses()).toEqual([]);
    });

    it.each([everybody, "alice"])(
      "starts counting again after %s was resumed [fatigue.pause]",
      async (scope) => {
        for (let time = 0; time < 3; time += 1) await denied({ principal: "alice" });
        await tickets.pause(everybody, "operator");
        await tickets.resume(everybody, "operator");
        await tickets.resume("alice", "operator");
        await tickets.pause(scope, "somebody");
        await tickets.resume(scope, "operator");
        await anotherMillisecond();
        expect((await denied({ principal: "alice" })).pause).toBeUndefined();
        expect((await denied({ principal: "alice" })).pause).toBeUndefined();
        expect((await denied({ principal: "alice" })).pause).toBeDefined();
      },
    );

    it("keeps a pause that a person made", async () => {
      await tickets.pause("alice", "alice");
      for (let time = 0; time < 4; time += 1) {
        expect((await denied({ principal: "alice" })).pause).toBeUndefined();
      }
      expect(await tickets.pauseOf("alice")).toMatchObject({ by: "alice", reason: "person" });
    });

    it("lets 20 requests of a principal wait, and refuses the next [fatigue.waiting]", async () => {
      const waiting = [];
      for (let time = 0; time < fatigue.waitingAtMost; time += 1) waiting.push(await open());
      await expect(open()).rejects.toMatchObject({
        kind: "budget_exceeded",
        message: expect.stringContaining("20 requests wait for the user already") as string,
      });
      const again = request({ digest: waiting[0]!.digest });
      expect(await tickets.open(again, minute)).toMatchObject({ joined: true });
      await open({ principal: "bob" });
      await tickets.decide(waiting[1]!.ticketId, approve, minute);
      await open();
      await expect(open()).rejects.toMatchObject({ kind: "budget_exceeded" });
      expect(await tickets.list({ statuses: ["pending"], limit: 99 })).toHaveLength(21);
    });

    it("replaces the oldest of a flood after a minute, and records it in both [fatigue.flood]", async () => {
      const hour = 60 * minute;
      const waiting = [];
      for (let time = 0; time < fatigue.waitingAtMost; time += 1)
        waiting.push(await open({}, hour));
      const others = await open({ principal: "bob" }, hour);
      await expect(open()).rejects.toMatchObject({ kind: "budget_exceeded" });
      await tickets.putQuestion(waiting[0]!.ticketId, "asked in a dialog", hour);
      await ageAll(fatigue.replaceableAfterMs);
      const newer = await open({}, hour);
      expect(newer).toMatchObject({ status: "pending", replaces: waiting[1]!.ticketId });
      expect(await tickets.find(newer.ticketId)).toEqual(newer);
      expect(await tickets.find(waiting[1]!.ticketId)).toMatchObject({
        status: "expired",
        replacedBy: newer.ticketId,
      });
      expect((await tickets.decide(waiting[1]!.ticketId, approve, minute)).won).toBe(false);
      expect((await open({}, hour)).replaces).toBe(waiting[2]!.ticketId);
      for (const { ticketId } of [waiting[0]!, waiting[3]!, others]) {
        expect((await tickets.find(ticketId))?.status).toBe("pending");
      }
      const all = await tickets.list({ statuses: ["pending"], principal: "local", limit: 99 });
      expect(all).toHaveLength(fatigue.waitingAtMost);
    });

    it("replaces requests that a person has seen last [fatigue.flood]", async () => {
      const hour = 60 * minute;
      const waiting = [];
      for (let time = 0; time < fatigue.waitingAtMost; time += 1)
        waiting.push((await open({}, hour)).ticketId);
      const unseen = [waiting[4]!, waiting[17]!];
      await tickets.markSeen(waiting.filter((ticketId) => !unseen.includes(ticketId)));
      await ageAll(fatigue.replaceableAfterMs);
      expect((await open({}, hour)).replaces).toBe(unseen[0]);
      expect((await open({}, hour)).replaces).toBe(unseen[1]);
      // Two new ones are unseen, but too young.
      expect((await open({}, hour)).replaces).toBe(waiting[0]);
      expect((await tickets.find(waiting[1]!))?.seenAt).toBeInstanceOf(Date);
    });

    it("protects a seen request for half an hour only [fatigue.flood]", async () => {
      const hour = 60 * minute;
      const waiting = [];
      for (let time = 0; time < fatigue.waitingAtMost; time += 1)
        waiting.push((await open({}, hour)).ticketId);
      await tickets.markSeen(waiting.slice(0, 5));
      await ageAll(fatigue.replaceableAfterMs);
      expect((await open({}, hour)).replaces).toBe(waiting[5]);
      await ageAll(fatigue.seenForMs - fatigue.replaceableAfterMs);
      expect((await open({}, hour)).replaces).toBe(waiting[0]);
    });

    it("lets 20 of many simultaneous requests wait, and ignores expired ones [fatigue.waiting]", async () => {
      await Promise.all(Array.from({ length: 19 }, () => open({}, over)));
      const results = await Promise.allSettled(Array.from({ length: 30 }, () => open()));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    });

    it("finds the newest denial of the same tool on the same target [tickets.denied-target]", async () => {
      const call = {
        principal: "alice",
        tool: "delete_file",
        actsOn: "a.txt",
        configHash: "config",
      };
      await denied(call);
      const { ticket } = await denied(call);
      expect((await tickets.findDenied(call, minute))?.ticketId).toBe(ticket.ticketId);
      expect(await tickets.findDenied(call, over)).toBeUndefined();
      for (const other of [
        { principal: "bob" },
        { tool: "write_file" },
        { actsOn: "b.txt" },
        { actsOn: undefined },
        { configHash: "another" },
      ]) {
        expect(await tickets.findDenied({ ...call, ...other }, minute)).toBeUndefined();
      }
      const lifted = (await open(call)).ticketId;
      await anotherMillisecond();
      await tickets.decide(lifted, { ...deny, note: "later", mayAskAgain: true }, minute);
      expect(await tickets.find(lifted)).toMatchObject({
        decision: { ...deny, note: "later", mayAskAgain: true },
      });
      expect(await tickets.findDenied(call, minute)).toBeUndefined();
      await anotherMillisecond();
      const again = await denied(call);
      await denied({ ...call, actsOn: undefined });
      expect((await tickets.findDenied(call, minute))?.ticketId).toBe(again.ticket.ticketId);
    });
  });
}
