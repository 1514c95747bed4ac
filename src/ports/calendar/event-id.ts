import { createHash } from "node:crypto";
import { base32 } from "../../core/shared/digest.ts";

/** 100 bits: nobody finds a second name for an id, and with an occurrence an id has 40 characters. */
const characters = 20;
const form = /^(ev_[a-z2-7]{20})(?:_(\d{8}(?:T\d{6}Z?)?))?$/;

/** Returns the id that all occurrences of an event share, whatever length its object's name has. It names nothing by itself. */
export function idOfObject(name: string): string {
  return `ev_${base32(createHash("sha256").update(name).digest()).slice(0, characters)}`;
}

/** Returns an id of at most 40 characters: the object's, and the key of the occurrence where it is one of a series. */
export function encodeEventId(name: string, key: string | undefined): string {
  return key === undefined ? idOfObject(name) : `${idOfObject(name)}_${key}`;
}

/** Returns the parts of an id; undefined for what we never made. The object is looked for in the calendar by its id. */
export function decodeEventId(
  eventId: string,
): { objectId: string; key: string | undefined } | undefined {
  const [, objectId, key] = form.exec(eventId) ?? [];
  return objectId === undefined ? undefined : { objectId, key };
}

/** Returns what all occurrences of an event have in common; the id itself where it is none of ours. */
export function eventOf(eventId: string): string {
  return decodeEventId(eventId)?.objectId ?? eventId;
}
