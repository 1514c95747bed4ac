import { ToolError } from "../core/tool-error.ts";
import type { ClaimedMail, MailStore, Receipt, Withheld } from "../ports/mail-store.ts";
import type { ObjectStore } from "../ports/objects.ts";
import { identify } from "./email-id.ts";
import { rawKey } from "../ports/mail-objects.ts";
import type { Runner } from "./runner.ts";

export interface Kept {
  emailId: string;
  /** False where the message was there already: then only its arrival was noted. */
  isNew: boolean;
  /** It waits in quarantine for a person. */
  isWithheld: boolean;
}

/** How a message came in: what the intake knows of it. */
export type Arrival = Omit<Receipt, "rawSha256" | "bytes">;

/** What the intakes hand messages to. When it resolves the message is safe; until then nobody may acknowledge it. */
export type Keep = (message: Uint8Array, arrival: Arrival) => Promise<Kept>;

export function createKeep(settings: {
  objects: ObjectStore;
  store: MailStore;
  firstStep: string;
  /** Says which messages go to quarantine instead of on. */
  withhold: (message: Uint8Array, arrival: Arrival) => Promise<Withheld | undefined>;
  /** What goes on with each new message. */
  runner: Pick<Runner, "wake" | "reserve">;
}): Keep {
  const { objects, store, firstStep, withhold, runner } = settings;
  return async (message, arrival) => {
    const { emailId, rawSha256 } = await identify(message);
    const key = rawKey(rawSha256);
    const wasThere = !(await putOnce(objects, key, message, "message/rfc822"));
    const withheld = await withhold(message, arrival);
    const bytes = message.length;
    const place = withheld === undefined ? runner.reserve(bytes) : undefined;
    let claimed: ClaimedMail | undefined;
    let isNew: boolean;
    try {
      ({ isNew, claimed } = await store.admit(
        { emailId, rawSha256, bytes, firstStep },
        { ...arrival, rawSha256, bytes },
        { withheld, leaseMs: place?.leaseMs },
      ));
    } finally {
      place?.take(claimed && { ...claimed, raw: message });
    }
    // Somebody may have deleted the same message between our look at its object and our row.
    if (wasThere && (await objects.head(key)) === undefined)
      await putOnce(objects, key, message, "message/rfc822");
    if (isNew && withheld === undefined && claimed === undefined) runner.wake();
    return { emailId, isNew, isWithheld: withheld !== undefined };
  };
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
