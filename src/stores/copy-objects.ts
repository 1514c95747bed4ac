import { objectPrefixes } from "../core/shared/object-prefixes.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import { ToolError } from "../core/tool/tool-error.ts";

/** Objects per page. */
const pageSize = 200;

export interface CopiedObjects {
  copied: number;
  /** Objects whose key the target already had. They are not overwritten. */
  present: number;
  bytes: number;
}

/** Copies every object that the target lacks. An interrupted copy continues when it is repeated. */
export async function copyObjects(from: ObjectStore, to: ObjectStore): Promise<CopiedObjects> {
  const done: CopiedObjects = { copied: 0, present: 0, bytes: 0 };
  for await (const { key } of allObjects(from)) {
    const bytes = await copyOne(key, from, to);
    if (bytes === undefined) done.present += 1;
    else {
      done.copied += 1;
      done.bytes += bytes;
    }
  }
  return done;
}

/** Lists every object of this program, and no other object of the same bucket. */
async function* allObjects(objects: ObjectStore): AsyncGenerator<ObjectFacts> {
  for (const prefix of objectPrefixes) yield* keysWith(prefix, objects);
}

/** Lists every object with a prefix. */
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

/** Returns the bytes that were copied. Undefined if the target has the key, or the object was deleted meanwhile. */
async function copyOne(
  key: string,
  from: ObjectStore,
  to: ObjectStore,
): Promise<number | undefined> {
  if ((await to.head(key)) !== undefined) return undefined;
  const found = await from.get(key);
  if (found === undefined) return undefined;
  const { body, facts } = found;
  try {
    await to.put(key, body, { mediaType: facts.mediaType, when: { kind: "absent" } });
    return body.byteLength;
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "conflict") throw error;
    return undefined;
  }
}
