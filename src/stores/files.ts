import { randomId, sha256Hex } from "../core/digest.ts";
import { ToolError } from "../core/tool-error.ts";
import type { ChangeMaker, FileChanges, PlannedChange } from "../ports/file-changes.ts";
import type { Files } from "../ports/files.ts";
import type { ObjectFacts, ObjectStore } from "../ports/objects.ts";
import { copyKey } from "./undo-copies.ts";

/** Where the object store keeps what (PRODUCT section 2). The file tools can name nothing outside of `files`. */
const filesPrefix = "files/";

/** The user's files over any object store. `undoHours`: how long a change of one can be undone. */
export function createFiles(
  objects: ObjectStore,
  { changes, undoHours }: { changes: FileChanges; undoHours: number },
): Files {
  const undoMs = undoHours * 3_600_000;

  /**
   * Makes a change that can be undone: what is about to happen is written down first, then the object is kept as it is now
   * (`replaces`; `conflict` where it is no longer that one), then it is changed. A crash in between leaves a copy that is
   * removed when its time is over.
   * @param make resolves with the facts of what is there afterwards
   */
  async function changed<Left extends ObjectFacts | undefined>(
    plan: Omit<PlannedChange, "undoId">,
    { replaces, signal }: { replaces: string | undefined; signal: AbortSignal | undefined },
    make: () => Promise<Left>,
  ): Promise<{ left: Left; until: Date }> {
    const change = { undoId: randomId("un"), ...plan };
    const until = await changes.plan(change, undoMs);
    try {
      if (replaces !== undefined) {
        const when = { is: "unchanged", etag: replaces } as const;
        await objects.copy(filesPrefix + plan.key, copyKey(change), withSignal({ when }, signal));
      }
      const left = await make();
      // It was made, whatever comes of this: without it, undoing has to compare the bytes.
      await changes.made(change.undoId, left?.etag).catch(() => undefined);
      return { left, until };
    } catch (error) {
      const isSure = error instanceof ToolError && error.sideEffects === "none";
      if (isSure) await changes.drop(change.undoId).catch(() => undefined);
      throw error;
    }
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

    write: async (key, body, { mediaType, replaces, by, signal }) => {
      const when =
        replaces === undefined
          ? ({ is: "absent" } as const)
          : ({ is: "unchanged", etag: replaces } as const);
      const created = replaces === undefined;
      const kind = created ? "created" : "replaced";
      const plan = planned(key, kind, by, sha256Hex(body));
      const { left, until } = await changed(plan, { replaces, signal }, () =>
        objects.put(filesPrefix + key, body, withSignal({ mediaType, when }, signal)),
      );
      return { facts: named(left), created, undoUntil: created ? undefined : until };
    },

    remove: async (key, { ifMatch, by, signal }) => {
      const when = { is: "unchanged", etag: ifMatch } as const;
      const plan = planned(key, "deleted", by, undefined);
      const { until } = await changed(plan, { replaces: ifMatch, signal }, async () => {
        if (!(await objects.remove(filesPrefix + key, withSignal({ when }, signal)))) {
          throw notFound(key, "deleted");
        }
        return undefined;
      });
      return { undoUntil: until };
    },
  };
}

function planned(
  key: string,
  kind: PlannedChange["kind"],
  by: ChangeMaker,
  sha256: string | undefined,
): Omit<PlannedChange, "undoId"> {
  return { ...by, key, kind, sha256 };
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
