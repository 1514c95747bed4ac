import { sha256Hex } from "../core/shared/digest.ts";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ChangeMaker, FileChanges, PlannedChange } from "../ports/files/file-changes.ts";
import type { Files } from "../ports/files/files.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import { hasRoom, makeUndoable } from "./undo-copies.ts";

/** The part of the object store that the file tools can address. */
export const filesPrefix = "files/";

/**
 * Creates the user's files over any object store.
 * @param options `undoHours` is how long a change can be undone
 */
export function createFiles(
  objects: ObjectStore,
  options: { changes: FileChanges; undoHours: number; log: Log },
): Files {
  const settings = { objects, ...options };

  /**
   * Makes an undoable change. `replaces` is the expected etag of the present version. @throws {ToolError} `conflict` if
   * it changed
   */
  async function changed<After extends ObjectFacts | undefined>(
    plan: Omit<PlannedChange, "undoId" | "keptBytes"> & Pick<ChangeMaker, "isDecided">,
    signal: AbortSignal | undefined,
    make: () => Promise<After>,
  ): Promise<{ after: After; until: Date }> {
    const { replaces } = plan;
    const from = filesPrefix + plan.key;
    const present =
      replaces === undefined ? undefined : await objects.head(from, withSignal({}, signal));
    const copy =
      replaces === undefined
        ? undefined
        : (to: string) =>
            objects.copy(
              from,
              to,
              withSignal({ when: { kind: "unchanged", etag: replaces } as const }, signal),
            );
    const etagAfter = (facts: After): string | undefined => facts?.etag;
    const change = { ...plan, keptBytes: present?.bytes };
    const steps = {
      copy: copy && ((to: string) => ofFile(plan, () => copy(to))),
      make: () => ofFile(plan, make),
      etagAfter,
    };
    const { made, until } = await makeUndoable(settings, change, steps);
    return { after: made, until };
  }

  return {
    keepsMore: (principal, bytes) => hasRoom(settings, { principal, bytes }),

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

    write: async (key, body, { mediaType, origin, replaces, by, signal }) => {
      const when =
        replaces === undefined
          ? ({ kind: "absent" } as const)
          : ({ kind: "unchanged", etag: replaces } as const);
      const created = replaces === undefined;
      const kind = created ? "created" : "replaced";
      const plan = { ...by, key, kind, replaces, sha256: sha256Hex(body) } as const;
      const { after, until } = await changed(plan, signal, () =>
        objects.put(filesPrefix + key, body, withSignal({ mediaType, origin, when }, signal)),
      );
      return { facts: named(after), created, undoUntil: created ? undefined : until };
    },

    remove: async (key, { ifMatch, by, signal }) => {
      const when = { kind: "unchanged", etag: ifMatch } as const;
      const plan = { ...by, key, kind: "deleted", replaces: ifMatch, sha256: undefined } as const;
      const { until } = await changed(plan, signal, async () => {
        if (!(await objects.remove(filesPrefix + key, withSignal({ when }, signal)))) {
          throw notFound(key, "deleted");
        }
        return undefined;
      });
      return { undoUntil: until };
    },
  };
}

function named(facts: ObjectFacts): ObjectFacts {
  return { ...facts, key: facts.key.slice(filesPrefix.length) };
}

/** Sends a request of a change. A conflict names the file, because people do not know the object store's keys. */
async function ofFile<T>(
  { key, replaces }: Pick<PlannedChange, "key" | "replaces">,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    if (!(cause instanceof ToolError) || cause.kind !== "conflict" || cause.sideEffects !== "none")
      throw cause;
    const fault = replaces === undefined ? "already exists" : "has changed since it was read";
    throw new ToolError("conflict", `The file ${key} ${fault}. Nothing was done.`, { cause });
  }
}

function notFound(key: string, what: string): ToolError {
  return new ToolError("not_found", `The file ${key} does not exist. Nothing was ${what}.`, {
    hint: "list_files lists the files.",
  });
}

function withSignal<T extends object>(
  options: T,
  signal: AbortSignal | undefined,
): T & { signal?: AbortSignal } {
  return signal === undefined ? options : { ...options, signal };
}
