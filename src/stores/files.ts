import { randomId, sha256Hex } from "../core/shared/digest.ts";
import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { FileChanges, PlannedChange } from "../ports/files/file-changes.ts";
import type { Files } from "../ports/files/files.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import { copyKey, evictCopies, hasRoom } from "./undo-copies.ts";

/** The part of the object store that the file tools can address. */
const filesPrefix = "files/";

/**
 * Creates the user's files over any object store.
 * @param options `undoHours` is how long a change can be undone
 */
export function createFiles(
  objects: ObjectStore,
  { changes, undoHours, log }: { changes: FileChanges; undoHours: number; log: Log },
): Files {
  const undoMs = undoHours * 3_600_000;

  /**
   * Makes an undoable change: records the plan, copies the present object (`replaces`, with `conflict` if it changed),
   * and then changes it. A crash in between leaves a copy that is removed later.
   * @param make resolves with the facts after the change
   */
  async function changed<Left extends ObjectFacts | undefined>(
    plan: Omit<PlannedChange, "undoId">,
    signal: AbortSignal | undefined,
    make: () => Promise<Left>,
  ): Promise<{ left: Left; until: Date }> {
    const change = { undoId: randomId("un"), ...plan };
    const { undoId, principal, replaces } = change;
    const until = await changes.plan(change, undoMs);
    try {
      let kept: ObjectFacts | undefined;
      if (replaces !== undefined) {
        const when = { kind: "unchanged", etag: replaces } as const;
        const from = filesPrefix + plan.key;
        kept = await objects.copy(from, copyKey(change), withSignal({ when }, signal));
      }
      const left = await make();
      // The change was made even if this fails. Undo then compares the bytes.
      await changes.made(undoId, left?.etag, kept?.bytes).catch(() => undefined);
      if (kept !== undefined) await evict({ principal, except: undoId });
      return { left, until };
    } catch (error) {
      const isSure = error instanceof ToolError && error.sideEffects === "none";
      if (isSure) await changes.drop(change.undoId).catch(() => undefined);
      throw error;
    }
  }

  /** Removes old copies. After a failure the next change tries again. */
  async function evict(of: { principal: string; except: string }): Promise<void> {
    await evictCopies({ objects, changes }, of).catch((cause: unknown) => {
      log.warn("removal of old undo copies failed", { cause });
    });
  }

  return {
    keepsMore: (principal, bytes) => hasRoom(changes, { principal, bytes }),

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
      const { left, until } = await changed(plan, signal, () =>
        objects.put(filesPrefix + key, body, withSignal({ mediaType, origin, when }, signal)),
      );
      return { facts: named(left), created, undoUntil: created ? undefined : until };
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
