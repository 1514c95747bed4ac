import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PendingTicket, Tickets } from "../../src/core/approvals/ticket.ts";
import { type TicketWatch, createTicketWatch } from "../../src/core/approvals/watch.ts";
import {
  approve,
  deny,
  done,
  minute,
  request,
  withheldError,
} from "../contract/ticket-fixtures.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { createFakeTickets } from "../fakes/tickets.ts";

let tickets: Tickets;
let watch: TicketWatch;
let ran: string[];
/** How often the store was asked. */
let looks: number;

const live = new AbortController().signal;

function watched(run: (ticketId: string) => Promise<unknown>): TicketWatch {
  const find: Tickets["find"] = (ticketId) => {
    looks += 1;
    return tickets.find(ticketId);
  };
  return createTicketWatch({ tickets: { ...tickets, find }, log: quietLog, run, end });
}

/** Ends the requests of one tool, as if it was withheld. */
async function end({ ticketId, tool }: PendingTicket): Promise<boolean> {
  if (tool !== "withheld") return false;
  return await tickets.withdraw(ticketId, withheldError);
}

/** Runs it as the pipeline does: claim, and say how it ended. */
async function run(ticketId: string): Promise<void> {
  ran.push(ticketId);
  const claimed = await tickets.claim(ticketId, "process 1", "config", minute);
  if (claimed !== undefined) await tickets.finish(ticketId, "process 1", done);
}

async function opened(): Promise<string> {
  return (await tickets.open(request(), minute)).ticket.ticketId;
}

beforeEach(() => {
  vi.useFakeTimers();
  tickets = createFakeTickets();
  ran = [];
  looks = 0;
  watch = watched(run);
});

afterEach(() => {
  watch.close();
  vi.useRealTimers();
});

describe("the watch over open requests", () => {
  it("runs a call that was approved at any channel, while its caller waits", async () => {
    const ticketId = await opened();
    const ended = watch.waitForEnd(ticketId, 10_000, live);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran).toEqual([]);
    await tickets.decide(ticketId, approve, minute);
    await vi.advanceTimersByTimeAsync(500);
    await ended;
    expect(ran).toEqual([ticketId]);
    expect((await tickets.find(ticketId))?.status).toBe("done");
  });

  it("runs a call that was approved after its caller disconnected", async () => {
    const ticketId = await opened();
    const ended = watch.waitForEnd(ticketId, 1_000, live);
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    await tickets.decide(ticketId, approve, minute);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(ran).toEqual([ticketId]);
  });

  it("releases the waiting caller immediately after a denial, and runs nothing", async () => {
    const ticketId = await opened();
    const ended = watch.waitForEnd(ticketId, 10_000, live);
    await tickets.decide(ticketId, deny, minute);
    await vi.advanceTimersByTimeAsync(300);
    await ended;
    expect(ran).toEqual([]);
  });

  it("releases every caller of the same request", async () => {
    const ticketId = await opened();
    const all = Promise.all([
      watch.waitForEnd(ticketId, 10_000, live),
      watch.waitForEnd(ticketId, 10_000, live),
    ]);
    await tickets.decide(ticketId, deny, minute);
    await vi.advanceTimersByTimeAsync(300);
    await all;
  });

  it("stops waiting at the end of the time, to the millisecond", async () => {
    let over = false;
    const ended = watch.waitForEnd(await opened(), 10_000, live).then(() => (over = true));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(over).toBe(true);
  });

  it("stops waiting when the caller cancels, even before it starts", async () => {
    const caller = new AbortController();
    const ticketId = await opened();
    const ended = watch.waitForEnd(ticketId, 10_000, caller.signal);
    caller.abort();
    await ended;
    await watch.waitForEnd(ticketId, 10_000, caller.signal);
  });

  it("releases all callers when it is closed, and stops looking", async () => {
    const ended = watch.waitForEnd(await opened(), 10_000, live);
    watch.close();
    await ended;
    const before = looks;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(before);
  });

  it("looks rarely if no caller waits, and stops after the last open request", async () => {
    const ticketId = await opened();
    watch.add(ticketId);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(looks).toBeGreaterThanOrEqual(9);
    expect(looks).toBeLessThanOrEqual(11);
    await tickets.decide(ticketId, deny, minute);
    await vi.advanceTimersByTimeAsync(2_000);
    const before = looks;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(before);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends a request whose tool is withheld", async () => {
    const { ticket } = await tickets.open({ ...request(), tool: "withheld" }, minute);
    const other = await opened();
    const ended = watch.waitForEnd(ticket.ticketId, 10_000, live);
    watch.add(other);
    await vi.advanceTimersByTimeAsync(500);
    await ended;
    expect((await tickets.find(ticket.ticketId))?.status).toBe("expired");
    expect((await tickets.find(other))?.status).toBe("pending");
  });

  it("continues after a failure of the store", async () => {
    const ticketId = await opened();
    let failures = 1;
    const find: Tickets["find"] = async (id) => {
      if (failures-- > 0) throw new Error("unavailable");
      return await tickets.find(id);
    };
    const patient = createTicketWatch({ tickets: { ...tickets, find }, log: quietLog, run, end });
    const ended = patient.waitForEnd(ticketId, 10_000, live);
    await tickets.decide(ticketId, approve, minute);
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    patient.close();
    expect(ran).toEqual([ticketId]);
  });

  it("continues after a failed run", async () => {
    const failing = watched(async (ticketId) => {
      ran.push(ticketId);
      throw new Error("cannot run");
    });
    const [first, second] = [await opened(), await opened()];
    failing.add(first);
    const ended = failing.waitForEnd(second, 10_000, live);
    await tickets.decide(first, approve, minute);
    await tickets.decide(second, deny, minute);
    await vi.advanceTimersByTimeAsync(500);
    await ended;
    expect(ran).toContain(first);
    failing.close();
  });

  it("polls the store slowly while an approved request cannot run", async () => {
    // Each failed run started the next look immediately: a store that refuses the claim was asked without pause.
    const failing = watched(() => Promise.reject(new Error("cannot run")));
    const ticketId = await opened();
    failing.add(ticketId);
    await tickets.decide(ticketId, approve, minute);
    looks = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    failing.close();
    expect(looks).toBeLessThan(60);
  });

  it("sees other requests during a long run", async () => {
    const [slow, quick] = [await opened(), await opened()];
    const busy = watched((ticketId) =>
      ticketId === slow ? new Promise(() => undefined) : run(ticketId),
    );
    busy.add(slow);
    const ended = busy.waitForEnd(quick, 10_000, live);
    await tickets.decide(slow, approve, minute);
    await tickets.decide(quick, approve, minute);
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(ran).toEqual([quick]);
    busy.close();
  });
});
