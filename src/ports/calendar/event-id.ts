import { createHash } from "node:crypto";
import { base32 } from "../../core/shared/digest.ts";

/** 100 bits, too many to find a collision. With an occurrence key an id has 40 characters. */
const characters = 20;
const form = /^(ev_[a-z2-7]{20})(?:_(\d{8}(?:T\d{6}Z?)?))?$/;

/** Returns the id that all occurrences of an event share. Its length does not depend on the object's name. */
export function idOfObject(name: string): string {
  return `ev_${base32(createHash("sha256").update(name).digest()).slice(0, characters)}`;
}

/** Returns an id of at most 40 characters: the object's id, and the key of the occurrence in a series. */
export function encodeEventId(name: string, key: string | undefined): string {
  return key === undefined ? idOfObject(name) : `${idOfObject(name)}_${key}`;
}

/** Returns the parts of an id. Undefined for a text of another form. */
export function decodeEventId(
  eventId: string,
): { objectId: string; key: string | undefined } | undefined {
  const [, objectId, key] = form.exec(eventId) ?? [];
  return objectId === undefined ? undefined : { objectId, key };
}

/** Returns the id that all occurrences of an event share. An id of another form is returned unchanged. */
export function eventOf(eventId: string): string {
  return decodeEventId(eventId)?.objectId ?? eventId;
}
