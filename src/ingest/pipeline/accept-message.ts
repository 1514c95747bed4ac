import { ToolError } from "../../core/tool/tool-error.ts";
import type { ClaimedMail, MailStore, Receipt, Quarantined } from "../../ports/mail/mail-store.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { identify } from "./email-id.ts";
import { rawKey } from "../../ports/mail/mail-objects.ts";
import type { Runner } from "./runner.ts";

export interface Accepted {
  emailId: string;
  /** False where the message was there already: then only its arrival was noted. */
  isNew: boolean;
  /** It waits in quarantine for a person. */
  isWithheld: boolean;
}

/** How a message came in: what the intake knows of it. */
export type Arrival = Omit<Receipt, "rawSha256" | "bytes">;

/** What is written twice for the sake of one commit less is small. Most mail is. */
export const inboxBytes = 100_000;

/** What the intakes hand messages to. When it resolves the message is safe; until then nobody may acknowledge it. */
export type AcceptMessage = (message: Uint8Array, arrival: Arrival) => Promise<Accepted>;

export function createAcceptMessage(settings: {
  objects: ObjectStore;
  store: MailStore;
  /** Messages up to this size are kept with their row and put into the object store afterwards; 0 for none. */
  inboxBytes: number;
  firstStep: string;
  /** Says which messages go to quarantine instead of on. */
  withhold: (message: Uint8Array, arrival: Arrival) => Promise<Quarantined | undefined>;
  /** What goes on with each new message. */
  runner: Pick<Runner, "wake" | "reserve">;
}): AcceptMessage {
  const { objects, store, inboxBytes, firstStep, withhold, runner } = settings;

  /** To the store, and where it is new and there is a place, on its way. */
  async function admit(message: Uint8Array, given: Given, withRaw: boolean): Promise<boolean> {
    const { mail, receipt, withheld } = given;
    const place = withheld === undefined ? runner.reserve(mail.bytes) : undefined;
    if (withRaw && place === undefined) return false;
    const options = { withheld, leaseMs: place?.leaseMs, ...(withRaw && { raw: message }) };
    let claimed: ClaimedMail | undefined;
    let isNew: boolean;
    try {
      ({ isNew, claimed } = await store.admit(mail, receipt, options));
    } finally {
      place?.take(claimed && { ...claimed, raw: message });
    }
    if (isNew && withheld === undefined && claimed === undefined) runner.wake();
    return isNew;
  }

  return async (message, arrival) => {
    const { emailId, rawSha256 } = await identify(message);
    const bytes = message.length;
    const withheld = await withhold(message, arrival);
    const given: Given = {
      mail: { emailId, rawSha256, bytes, firstStep },
      receipt: { ...arrival, rawSha256, bytes },
      withheld,
    };
    const kept = { emailId, isWithheld: withheld !== undefined };
    // Where it is there already nothing was done, and it goes the other way.
    const isSmall = inboxBytes > 0 && bytes <= inboxBytes;
    if (isSmall && (await admit(message, given, true))) return { ...kept, isNew: true };
    const key = rawKey(rawSha256);
    const wasThere = !(await putOnce(objects, key, message, "message/rfc822"));
    const isNew = await admit(message, given, false);
    // Somebody may have deleted the same message between our look at its object and our row.
    if (wasThere && (await objects.head(key)) === undefined)
      await putOnce(objects, key, message, "message/rfc822");
    return { ...kept, isNew };
  };
}

interface Given {
  mail: Parameters<MailStore["admit"]>[0];
  receipt: Receipt;
  withheld: Quarantined | undefined;
}

/** Under its own hash an object can only ever hold these bytes: one that is there already is the same, and then it is false. */
export async function putOnce(
  objects: ObjectStore,
  key: string,
  body: Uint8Array,
  mediaType: string,
  { canWait = false } = {},
): Promise<boolean> {
  try {
    await objects.put(key, body, { mediaType, when: { is: "absent" }, canWait });
    return true;
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
    return false;
  }
}
