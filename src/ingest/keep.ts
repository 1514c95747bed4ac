import { ToolError } from "../core/tool-error.ts";
import type { MailStore, Receipt } from "../ports/mail-store.ts";
import type { ObjectStore } from "../ports/objects.ts";
import { identify } from "./email-id.ts";
import { rawKey } from "../ports/mail-objects.ts";

export interface Kept {
  emailId: string;
  /** False where the message was there already: then only its arrival was noted. */
  isNew: boolean;
}

/** What the intakes hand messages to. When it resolves the message is safe; until then nobody may acknowledge it. */
export type Keep = (
  message: Uint8Array,
  arrival: Omit<Receipt, "rawSha256" | "bytes">,
) => Promise<Kept>;

export function createKeep(settings: {
  objects: ObjectStore;
  store: MailStore;
  firstStep: string;
  /** Called after each new message: work is waiting. */
  onKept: () => void;
}): Keep {
  const { objects, store, firstStep, onKept } = settings;
  return async (message, arrival) => {
    const { emailId, rawSha256 } = await identify(message);
    await putOnce(objects, rawKey(rawSha256), message, "message/rfc822");
    const bytes = message.length;
    const { isNew } = await store.admit(
      { emailId, rawSha256, bytes, firstStep },
      { ...arrival, rawSha256, bytes },
    );
    if (isNew) onKept();
    return { emailId, isNew };
  };
}

/** Under its own hash an object can only ever hold these bytes: one that is there already is the same. */
export async function putOnce(
  objects: ObjectStore,
  key: string,
  body: Uint8Array,
  mediaType: string,
): Promise<void> {
  try {
    await objects.put(key, body, { mediaType, when: { is: "absent" } });
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
  }
}
