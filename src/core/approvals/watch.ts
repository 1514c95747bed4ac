import { isOpen } from "./approval.ts";
import type { Log } from "../shared/log.ts";
import type { PendingTicket, Tickets } from "./ticket.ts";

/** Poll interval of the store while a caller waits, and otherwise. Milliseconds. */
const pollWaitingMs = 200;
const pollIdleMs = 2_000;

/**
 * Polls the requests that this process opened or joined, because a person may decide through any channel in any
 * process. This process then runs the approved ones.
 */
export interface TicketWatch {
  add(ticketId: string): void;
  /** Resolves when the request has ended, the time has passed or the signal aborts. */
  waitForEnd(ticketId: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export function createTicketWatch(settings: {
  tickets: Tickets;
  log: Log;
  /**
   * Runs an approved request. May be called if another process has claimed it. Resolves with `false` if the request
   * cannot run yet and should be tried at the next poll.
   */
  run: (ticketId: string) => Promise<unknown>;
  /** Ends a pending request that can no longer run. Resolves with true if it did. */
  end: (ticket: PendingTicket) => Promise<boolean>;
}): TicketWatch {
  const { tickets, log, run, end } = settings;
  const waiters = new Map<string, Set<() => void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let isPolling = false;

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    if (closed || waiters.size === 0) return;
    timer = setTimeout(() => void poll(), afterMs);
    // The watch must not keep the process alive after its client disconnected.
    timer.unref();
  }

  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    for (const ticketId of waiters.keys()) {
      try {
        const ticket = await tickets.find(ticketId);
        // Not awaited: one long run must not delay the others.
        if (ticket?.status === "approved") start(ticketId);
        const isEnded = ticket?.status === "pending" && (await end(ticket));
        if (ticket === undefined || isEnded || !isOpen(ticket)) release(ticketId);
      } catch (cause) {
        log.warn("reading an approval request failed", { ticketId, cause });
      }
    }
    isPolling = false;
    schedule(pollMs());
  }

  function pollMs(): number {
    return [...waiters.values()].some((waiting) => waiting.size > 0) ? pollWaitingMs : pollIdleMs;
  }

  function start(ticketId: string): void {
    run(ticketId).then(
      // A request stays approved during a pause, so an immediate retry would loop.
      (ran) => void (ran !== false && schedule(0)),
      // Retried at the next poll, to spare a failing store.
      (cause: unknown) => log.warn("running an approved request failed", { ticketId, cause }),
    );
  }

  function release(ticketId: string): void {
    const waiting = waiters.get(ticketId);
    waiters.delete(ticketId);
    for (const resolve of waiting ?? []) resolve();
  }

  function add(ticketId: string): Set<() => void> {
    const waiting = waiters.get(ticketId) ?? new Set();
    waiters.set(ticketId, waiting);
    if (!isPolling) schedule(pollMs());
    return waiting;
  }

  return {
    add: (ticketId) => void add(ticketId),
    waitForEnd: (ticketId, timeoutMs, signal) =>
      new Promise<void>((resolve) => {
        const waiting = add(ticketId);
        const finish = (): void => {
          clearTimeout(limit);
          signal.removeEventListener("abort", finish);
          waiting.delete(finish);
          resolve();
        };
        const limit = setTimeout(finish, timeoutMs);
        signal.addEventListener("abort", finish);
        waiting.add(finish);
        if (signal.aborted || closed) finish();
        else if (!isPolling) schedule(0);
      }),
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const ticketId of waiters.keys()) release(ticketId);
    },
  };
}
