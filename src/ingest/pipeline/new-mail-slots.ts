import type { MailInProgress } from "./step.ts";

/** A place in memory for a message that is being stored. */
export interface WorkerSlot {
  /** The lease that the message needs, in milliseconds. */
  leaseMs: number;
  /** Fills the slot, or releases it. */
  take(mail: MailInProgress | undefined): void;
}

/** How long a new message waits for others, in milliseconds, and how many make a batch. Batches cost less. */
const gatherMs = 200;
export const enoughTogether = 64;
/** New messages stay in memory until they are processed. These limit their number and bytes. */
const mostMails = 256;
const mostBytes = 8_000_000;

/** Larger messages are processed one at a time. A message that waits for another is read back later. Bytes. */
const largeBytes = 1_000_000;

export const isLarge = (bytes: number): boolean => bytes > largeBytes;

/** Runs large messages one after another. A reserved slot counts as a message. */
export interface LargeQueue {
  isEmpty(): boolean;
  reserve(): void;
  release(): void;
  run(work: () => Promise<void>): Promise<void>;
}

export function createLargeQueue(): LargeQueue {
  let last: Promise<void> = Promise.resolve();
  let count = 0;
  const release = (): void => void (count -= 1);
  return {
    isEmpty: () => count === 0,
    reserve: () => void (count += 1),
    release,
    run: (work) => {
      count += 1;
      last = last.then(work).finally(release);
      return last;
    },
  };
}

/** Slots for new messages, which are processed from memory. */
export interface NewMailSlots {
  /** Reserves a slot. Undefined if the message must wait in the database. */
  reserve(bytes: number): WorkerSlot | undefined;
  /** Begins the gathered messages, and gathers no more. */
  stop(): void;
}

/**
 * Creates the slots for new messages.
 * @param begin processes a message, and resolves when its progress is recorded
 */
export function createNewMailSlots(settings: {
  begin: (mail: MailInProgress) => Promise<void>;
  large: LargeQueue;
  leaseMs: number;
}): NewMailSlots {
  const { begin, large, leaseMs } = settings;
  /** Filled and reserved slots, and the bytes of their messages without large ones. */
  let mails = 0;
  let bytesInMemory = 0;
  let gathered: MailInProgress[] = [];
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function hasRoom(bytes: number): boolean {
    if (mails >= mostMails) return false;
    return isLarge(bytes) ? large.isEmpty() : bytesInMemory + bytes <= mostBytes;
  }

  function count(bytes: number, by: 1 | -1): void {
    mails += by;
    if (!isLarge(bytes)) bytesInMemory += by * bytes;
  }

  function process(mail: MailInProgress): void {
    void begin(mail).finally(() => count(mail.rawBytes, -1));
  }

  function gather(mail: MailInProgress): void {
    gathered.push(mail);
    gathering ??= setTimeout(processGathered, gatherMs);
    if (gathered.length >= enoughTogether || isStopped) processGathered();
  }

  function processGathered(): void {
    clearTimeout(gathering);
    gathering = undefined;
    const batch = gathered;
    gathered = [];
    for (const mail of batch) process(mail);
  }

  return {
    reserve: (bytes) => {
      if (isStopped || !hasRoom(bytes)) return undefined;
      count(bytes, 1);
      if (isLarge(bytes)) large.reserve();
      return {
        leaseMs,
        take: (mail) => {
          if (isLarge(bytes)) large.release();
          if (mail === undefined) count(bytes, -1);
          else if (isLarge(bytes)) process(mail);
          else gather(mail);
        },
      };
    },
    stop: () => {
      isStopped = true;
      processGathered();
    },
  };
}
