import { createHash } from "node:crypto";
import { objectPrefixes } from "../core/shared/object-prefixes.ts";
import { rawKey } from "../ports/mail/mail-objects.ts";
import type { ObjectFacts, ObjectRead, ObjectStore } from "../ports/files/objects.ts";
import { ToolError } from "../core/tool/tool-error.ts";

const messagePrefix = rawKey("");

/** Objects per page. */
const pageSize = 200;
/** Objects that are copied at the same time, because most of a request's time is the bucket's latency. */
const mostTogether = 16;
/** Bytes of objects that are copied at the same time, and are therefore in memory. A larger object is copied alone. */
const mostBytesTogether = 16 << 20;

export interface CopiedObjects {
  copied: number;
  /** Objects that the target already had. */
  present: number;
  bytes: number;
}

export interface ObjectsDigest {
  objects: number;
  bytes: number;
  sha256: string;
}

/**
 * Copies every object that the target does not have. An interrupted copy can be continued by calling this again.
 * @param isMirror also replaces objects that differ, and removes those that the source does not have
 * @param messages the keys of messages by the keys of their texts and attachments. The target then stores only the
 * difference of a part from its message
 */
export async function copyObjects(
  from: ObjectStore,
  to: ObjectStore,
  {
    isMirror = false,
    messages,
  }: { isMirror?: boolean; messages?: ReadonlyMap<string, string> | undefined } = {},
): Promise<CopiedObjects> {
  const there = new Map<string, ObjectFacts>();
  for await (const facts of storedObjects(to)) there.set(facts.key, facts);
  const done: CopiedObjects = { copied: 0, present: 0, bytes: 0 };
  for await (const group of groupsOf(messagesFirst(from))) {
    const copied = await Promise.all(
      group.map(({ key }) =>
        copyOne(key, { from, to, known: there.get(key), isMirror, message: messages?.get(key) }),
      ),
    );
    for (const { key } of group) there.delete(key);
    for (const bytes of copied) {
      if (bytes === undefined) done.present += 1;
      else {
        done.copied += 1;
        done.bytes += bytes;
      }
    }
  }
  if (isMirror && there.size > 0) {
    for (const key of there.keys()) await to.remove(key);
    await to.emptyLog();
  }
  return done;
}

/** Yields every object. Messages are first, because the target stores the parts as differences from them. */
async function* messagesFirst(from: ObjectStore): AsyncGenerator<ObjectFacts> {
  yield* keysWith(messagePrefix, from);
  for await (const facts of storedObjects(from))
    if (!facts.key.startsWith(messagePrefix)) yield facts;
}

/** Yields objects in groups that are copied at the same time. */
async function* groupsOf(objects: AsyncIterable<ObjectFacts>): AsyncGenerator<ObjectFacts[]> {
  let group: ObjectFacts[] = [];
  let bytes = 0;
  for await (const facts of objects) {
    const isFull = group.length >= mostTogether || bytes + facts.bytes > mostBytesTogether;
    if (group.length > 0 && isFull) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(facts);
    bytes += facts.bytes;
  }
  if (group.length > 0) yield group;
}

export async function hasAnyObject(objects: ObjectStore): Promise<boolean> {
  const first = await storedObjects(objects).next();
  return first.done !== true;
}

/** Returns the first key that only `other` has, or undefined. */
export async function foreignKey(
  other: ObjectStore,
  from: ObjectStore,
): Promise<string | undefined> {
  for await (const { key } of storedObjects(other))
    if ((await from.head(key)) === undefined) return key;
  return undefined;
}

/** Returns the first key with other content in `other`, or undefined. */
export async function differentKey(
  other: ObjectStore,
  from: ObjectStore,
): Promise<string | undefined> {
  for await (const { key } of storedObjects(from)) {
    const [here, there] = [await from.get(key), await other.get(key)];
    if (here && there && contentOf(key, here) !== contentOf(key, there)) return key;
  }
  return undefined;
}

/** Counts and hashes all objects with their keys and media types. Equal stores have the same digest. */
export async function digestObjects(objects: ObjectStore): Promise<ObjectsDigest> {
  const hash = createHash("sha256");
  const sum = { objects: 0, bytes: 0 };
  for await (const { key } of storedObjects(objects)) {
    const found = await objects.get(key);
    if (found === undefined) continue;
    sum.objects += 1;
    sum.bytes += found.body.byteLength;
    hash.update(contentOf(key, found));
  }
  return { ...sum, sha256: hash.digest("hex") };
}

function contentOf(key: string, { body, facts }: ObjectRead): string {
  const sha256 = createHash("sha256").update(body).digest("hex");
  return JSON.stringify([key, facts.mediaType, sha256, ...(facts.origin ? [facts.origin] : [])]);
}

/** Yields every object of this program, and no other object of the same bucket. */
export async function* storedObjects(objects: ObjectStore): AsyncGenerator<ObjectFacts> {
  for (const prefix of objectPrefixes) yield* keysWith(prefix, objects);
}

/** Yields every object with a prefix. */
export async function* keysWith(prefix: string, objects: ObjectStore): AsyncGenerator<ObjectFacts> {
  let after: string | undefined;
  do {
    const page = await objects.list({
      prefix,
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    yield* page.objects;
    after = page.next;
  } while (after !== undefined);
}

/**
 * Returns the number of copied bytes. Undefined if the target already has the object, or if the object was deleted
 * meanwhile.
 */
async function copyOne(
  key: string,
  {
    from,
    to,
    known,
    isMirror,
    message,
  }: {
    from: ObjectStore;
    to: ObjectStore;
    known: ObjectFacts | undefined;
    isMirror: boolean;
    message: string | undefined;
  },
): Promise<number | undefined> {
  if (known !== undefined && !isMirror) return undefined;
  const found = await from.get(key);
  if (found === undefined) return undefined;
  const present = known === undefined ? undefined : await to.get(key);
  if (present !== undefined && contentOf(key, present) === contentOf(key, found)) return undefined;
  const when =
    present === undefined
      ? ({ kind: "absent" } as const)
      : ({ kind: "unchanged", etag: present.facts.etag } as const);
  const whole = message === undefined ? undefined : await from.get(message);
  try {
    await to.put(key, found.body, {
      ...(message !== undefined && whole && { within: { key: message, body: whole.body } }),
      mediaType: found.facts.mediaType,
      origin: found.facts.origin,
      when,
    });
    return found.body.byteLength;
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
    return undefined;
  }
}
