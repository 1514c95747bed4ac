import type { WorkerRequest } from "./worker-messages.ts";

/** How long a deferred request waits for others, in milliseconds, and how many are sent at once. */
const deferMs = 20;
const enoughDeferred = 64;

/** Requests on their way to the thread that owns the database. */
export interface Outbox {
  /** Posts the requests at the end of this turn of the event loop. */
  send(requests: readonly WorkerRequest[]): void;
  /** Sends the request some milliseconds later, together with others. */
  defer(request: WorkerRequest): void;
  /** Sends the deferred requests immediately. */
  sendDeferred(): void;
  /** Posts everything that waits. */
  flush(): void;
  /** Forgets what was sent and not posted, because the thread ended. */
  drop(): void;
}

/**
 * Creates an outbox. Simultaneous calls share a message to the thread, because a message costs more than a small read.
 * @param thread `wake` starts the thread, or keeps it and the process alive
 */
export function createOutbox(thread: {
  wake: () => void;
  post: (requests: readonly WorkerRequest[]) => void;
}): Outbox {
  let deferred: WorkerRequest[] = [];
  let deferTimer: ReturnType<typeof setTimeout> | undefined;
  /** Requests of this turn of the event loop. */
  let sent: WorkerRequest[] = [];

  function send(requests: readonly WorkerRequest[]): void {
    thread.wake();
    if (sent.length === 0) process.nextTick(post);
    sent.push(...requests);
  }

  function post(): void {
    const requests = sent;
    sent = [];
    if (requests.length > 0) thread.post(requests);
  }

  function sendDeferred(): void {
    clearTimeout(deferTimer);
    deferTimer = undefined;
    const requests = deferred;
    deferred = [];
    if (requests.length > 0) send(requests);
  }

  return {
    send,
    sendDeferred,
    defer: (request) => {
      deferred.push(request);
      deferTimer ??= setTimeout(sendDeferred, deferMs);
      if (deferred.length >= enoughDeferred) sendDeferred();
    },
    flush: () => {
      sendDeferred();
      post();
    },
    drop: () => {
      sent = [];
    },
  };
}
