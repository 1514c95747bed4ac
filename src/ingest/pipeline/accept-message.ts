import { ToolError } from "../../core/tool/tool-error.ts";
import type { ClaimedMail, MailStore, Receipt, Quarantined } from "../../ports/mail/mail-store.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { InsufficientStorage } from "../../ports/mail/insufficient-storage.ts";
import { identify } from "./email-id.ts";
import { rawKey } from "../../ports/mail/mail-objects.ts";
import type { Runner } from "./runner.ts";

export interface Accepted {
  emailId: string;
  /** False if the message was already stored, and only a receipt was added. */
  isNew: boolean;
  /** True if the message is in quarantine until a person releases it. */
  isQuarantined: boolean;
}

/** The intake's facts about the arrival of a message. */
export type Arrival = Omit<Receipt, "rawSha256" | "bytes">;

/** Messages up to this size are written twice, which saves one commit. Most mail is smaller. Bytes. */
export const inboxBytes = 100_000;

/** The space that a message needs, in multiples of its size: raw message, text, index and the database's log. */
const timesMessage = 5;

/** Stores a message durably. An intake may acknowledge the message only after this resolves. */
export type AcceptMessage = (message: Uint8Array, arrival: Arrival) => Promise<Accepted>;

export function createAcceptMessage(settings: {
  objects: ObjectStore;
  store: MailStore;
  /** Messages up to this size are stored in their row first and in the object store later. 0 disables it. Bytes. */
  inboxBytes: number;
  firstStep: string;
  /** Returns the bytes that mail may still use on this disk. Undefined if mail is stored elsewhere. */
  roomForMail?: (() => Promise<number>) | undefined;
  /** Decides whether a message goes to quarantine. */
  quarantineOf: (message: Uint8Array, arrival: Arrival) => Promise<Quarantined | undefined>;
  /** True if many messages are accepted at the same time, so that their rows share a commit. */
  isBulk?: boolean;
  /** Processes each new message. */
  runner: Pick<Runner, "wake" | "reserve">;
}): AcceptMessage {
  const { objects, store, inboxBytes, firstStep, roomForMail, quarantineOf, runner } = settings;
  const { isBulk = false } = settings;

  async function requireRoom(bytes: number): Promise<void> {
    const room = (await roomForMail?.()) ?? Infinity;
    if (room < timesMessage * bytes) throw new InsufficientStorage();
  }

  /** Writes the row. If the message is new and the runner has a free slot, processing starts immediately. */
  async function admit(message: Uint8Array, given: Given, withRaw: boolean): Promise<boolean> {
    const { mail, receipt, quarantine } = given;
    const place = quarantine === undefined ? runner.reserve(mail.bytes) : undefined;
    if (withRaw && place === undefined) return false;
    const options = {
      quarantine,
      leaseMs: place?.leaseMs,
      canWait: isBulk,
      ...(withRaw && { raw: message }),
    };
    let claimed: ClaimedMail | undefined;
    let isNew: boolean;
    try {
      ({ isNew, claimed } = await store.admit(mail, receipt, options));
    } finally {
      place?.take(claimed && { ...claimed, raw: message });
    }
    if (isNew && quarantine === undefined && claimed === undefined) runner.wake();
    return isNew;
  }

  return async (message, arrival) => {
    const bytes = message.length;
    await requireRoom(bytes);
    const { emailId, rawSha256 } = await identify(message);
    const quarantine = await quarantineOf(message, arrival);
    const given: Given = {
      mail: { emailId, rawSha256, bytes, firstStep },
      receipt: { ...arrival, rawSha256, bytes },
      quarantine,
    };
    const kept = { emailId, isQuarantined: quarantine !== undefined };
    // Nothing was written, because the message was already stored. Its receipt is added below.
    const isSmall = inboxBytes > 0 && bytes <= inboxBytes;
    if (isSmall && (await admit(message, given, true))) return { ...kept, isNew: true };
    // One message has countless forms with different line ends. Only objects with a receipt are deleted with the
    // message, so no further object is stored.
    if (await store.hasAllReceipts(emailId)) return { ...kept, isNew: false };
    const key = rawKey(rawSha256);
    const wasThere = !(await putOnce(objects, key, message, "message/rfc822"));
    const isNew = await admit(message, given, false);
    // Another process may have deleted this message after this one saw its object, and before the row was written.
    if (wasThere && (await objects.head(key)) === undefined)
      await putOnce(objects, key, message, "message/rfc822");
    return { ...kept, isNew };
  };
}

interface Given {
  mail: Parameters<MailStore["admit"]>[0];
  receipt: Receipt;
  quarantine: Quarantined | undefined;
}

/** Stores an object under its hash. Returns false if it was already stored, which the hash proves. */
export async function putOnce(
  objects: ObjectStore,
  key: string,
  body: Uint8Array,
  mediaType: string,
  options: Pick<Parameters<ObjectStore["put"]>[2], "canWait" | "within"> = {},
): Promise<boolean> {
  try {
    await objects.put(key, body, { mediaType, when: { kind: "absent" }, ...options });
    return true;
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
    return false;
  }
}
