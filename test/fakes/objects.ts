import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { ObjectFacts, ObjectOrigin, ObjectStore } from "../../src/ports/files/objects.ts";

interface Stored {
  facts: ObjectFacts;
  body: Uint8Array;
}

/** Creates an object store in memory, with an optional clock of the test. */
export function createFakeObjects(clock: () => Date = () => new Date()): ObjectStore {
  const objects = new Map<string, Stored>();
  let versions = 0;

  function store(
    key: string,
    body: Uint8Array,
    { mediaType, origin }: { mediaType: string; origin?: ObjectOrigin | undefined },
  ): ObjectFacts {
    versions += 1;
    const facts: ObjectFacts = {
      key,
      bytes: body.byteLength,
      etag: `v${versions}`,
      mediaType,
      modifiedAt: clock(),
      ...(origin && { origin }),
    };
    objects.set(key, { facts, body: body.slice() });
    return facts;
  }

  function mustBe(key: string, etag: string | undefined): void {
    if (etag !== undefined && objects.get(key)?.facts.etag !== etag) throw conflict();
  }

  return {
    put: async (key, body, { mediaType, origin, when, signal }) => {
      throwIfCancelled(signal);
      if (when?.kind === "absent" && objects.has(key)) throw conflict();
      if (when?.kind === "unchanged") mustBe(key, when.etag);
      return store(key, body, { mediaType, origin });
    },
    head: async (key) => objects.get(key)?.facts,
    get: async (key, { offset = 0, length = Infinity, signal } = {}) => {
      throwIfCancelled(signal);
      const found = objects.get(key);
      return found && { facts: found.facts, body: found.body.slice(offset, offset + length) };
    },
    list: async ({ prefix, after, limit, signal }) => {
      throwIfCancelled(signal);
      const found = [...objects.values()]
        .map(({ facts }) => facts)
        .filter(({ key }) => key.startsWith(prefix))
        .toSorted((a, b) => inBytes(a.key, b.key))
        .filter(({ key }) => after === undefined || inBytes(key, after) > 0);
      const page = found.slice(0, limit);
      return { objects: page, next: found.length > limit ? page.at(-1)?.key : undefined };
    },
    remove: async (key, { when, signal } = {}) => {
      throwIfCancelled(signal);
      if (!objects.has(key)) return false;
      mustBe(key, when?.etag);
      return objects.delete(key);
    },
    emptyLog: async () => undefined,
    copy: async (from, to, { when, signal } = {}) => {
      throwIfCancelled(signal);
      const source = objects.get(from);
      if (source === undefined) throw new ToolError("not_found", "The object does not exist.");
      mustBe(from, when?.etag);
      return store(to, source.body, source.facts);
    },
    check: async () => undefined,
  };
}

/** Compares keys by code points. JavaScript compares UTF-16 units, which differs above U+FFFF. */
function inBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function conflict(): ToolError {
  return new ToolError("conflict", "The object is not as it must be. Nothing was done.");
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ToolError("cancelled", "The call was cancelled.");
}
