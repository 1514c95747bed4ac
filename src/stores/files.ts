import { randomId } from "../core/digest.ts";
import { ToolError } from "../core/tool-error.ts";
import type { Files } from "../ports/files.ts";
import type { ObjectFacts, ObjectStore } from "../ports/objects.ts";

/** Where the object store keeps what (PRODUCT section 2). The file tools can name nothing outside of `files`. */
const filesPrefix = "files/";
const undoPrefix = "undo/";

/** The user's files over any object store. `undoHours`: how long a replaced or deleted file is kept. */
export function createFiles(objects: ObjectStore, undoHours: number): Files {
  const undoMs = undoHours * 3_600_000;

  /** Keeps the object as it is now; throws `conflict` where it is no longer the one that was meant. */
  async function keepOld(key: string, etag: string, signal?: AbortSignal): Promise<Date> {
    const kept = await objects.copy(
      filesPrefix + key,
      `${undoPrefix}${randomId("un")}/${key}`,
      withSignal({ when: { is: "unchanged", etag } as const }, signal),
    );
    return new Date(kept.modifiedAt.getTime() + undoMs);
  }

  return {
    list: async ({ prefix, after, limit, signal }) => {
      const page = await objects.list({
        prefix: filesPrefix + prefix,
        limit,
        ...(after !== undefined && { after: filesPrefix + after }),
        ...(signal && { signal }),
      });
      return {
        objects: page.objects.map(named),
        next: page.next?.slice(filesPrefix.length),
      };
    },

    stat: async (key, { signal } = {}) => {
      const facts = await objects.head(filesPrefix + key, withSignal({}, signal));
      return facts && named(facts);
    },

    read: async (key, { offset, length, signal }) => {
      const read = await objects.get(filesPrefix + key, withSignal({ offset, length }, signal));
      if (read === undefined) throw notFound(key, "read");
      return { facts: named(read.facts), body: read.body };
    },

    write: async (key, body, { mediaType, replaces, signal }) => {
      const undoUntil = replaces === undefined ? undefined : await keepOld(key, replaces, signal);
      const when =
        replaces === undefined
          ? ({ is: "absent" } as const)
          : ({ is: "unchanged", etag: replaces } as const);
      const facts = await objects.put(
        filesPrefix + key,
        body,
        withSignal({ mediaType, when }, signal),
      );
      return { facts: named(facts), created: replaces === undefined, undoUntil };
    },

    remove: async (key, { ifMatch, signal }) => {
      const undoUntil = await keepOld(key, ifMatch, signal);
      const when = { is: "unchanged", etag: ifMatch } as const;
      if (!(await objects.remove(filesPrefix + key, withSignal({ when }, signal)))) {
        throw notFound(key, "deleted");
      }
      return { undoUntil };
    },
  };
}

function named(facts: ObjectFacts): ObjectFacts {
  return { ...facts, key: facts.key.slice(filesPrefix.length) };
}

function notFound(key: string, what: string): ToolError {
  return new ToolError("not_found", `There is no file ${key}. Nothing was ${what}.`, {
    hint: "list_files shows what there is.",
  });
}

function withSignal<T extends object>(
  options: T,
  signal: AbortSignal | undefined,
): T & { signal?: AbortSignal } {
  return signal === undefined ? options : { ...options, signal };
}
