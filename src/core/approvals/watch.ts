import { isOpen } from "./approval.ts";
import type { Log } from "../shared/log.ts";
import type { Tickets } from "./ticket.ts";

/** How often the store is asked while a caller waits, and while nobody does. Milliseconds. */
const pollWaiting = 200;
const pollIdle = 2_000;

/**
 * Keeps an eye on the tickets that this process opened or joined. A person may decide at any approval channel, in any process: the watch
 * sees it in the store and has this process run what was approved.
 */
export interface TicketWatch {
  add(ticketId: string): void;
  /** Resolves when the ticket has ended, the time is over or the signal aborts, whichever is first. */
  waitForEnd(ticketId: string, timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export function createTicketWatch(settings: {
  tickets: Tickets;
  log: Log;
  /** Runs an approved ticket; harmless where another process has claimed it. `false`: not now, try again at the next look. */
  run: (ticketId: string) => Promise<unknown>;
}): TicketWatch {
  const { tickets, log, run } = settings;
  const waiters = new Map<string, Set<() => void>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  let looking = false;

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    if (closed || waiters.size === 0) return;
    timer = setTimeout(() => void look(), afterMs);
    // Watching alone never keeps a process alive whose client has gone.
    timer.unref();
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    for (const ticketId of waiters.keys()) {
      try {
        const ticket = await tickets.find(ticketId);
        // Not awaited: one long run must not keep the others from being seen.
        if (ticket?.status === "approved") start(ticketId);
        if (ticket === undefined || !isOpen(ticket)) release(ticketId);
      } catch (cause) {
        log.warn("could not look at a request", { ticketId, cause });
      }
    }
    looking = false;
    schedule([...waiters.values()].some((waiting) => waiting.size > 0) ? pollWaiting : pollIdle);
  }

  function start(ticketId: string): void {
    run(ticketId).then(
      // What is paused stays as it is: looking again at once would never end.
      (ran) => void (ran !== false && schedule(0)),
      // The next look is soon enough: a store that refuses would be asked without a pause.
      (cause: unknown) => log.warn("could not run an approved request", { ticketId, cause }),
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
    if (!looking) schedule(waiting.size > 0 ? pollWaiting : pollIdle);
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
        else if (!looking) schedule(0);
      }),
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const ticketId of waiters.keys()) release(ticketId);
    },
  };
}
