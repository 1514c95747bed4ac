import { type AuditEvent, type AuditRecord, recordBestEffort } from "../core/audit/audit.ts";
import { fingerprintOf, randomId, sha256Hex } from "../core/shared/digest.ts";
import { formatSize } from "../core/shared/text/format.ts";
import { ToolError, asToolError } from "../core/tool/tool-error.ts";
import type { ChangeMaker, FileChange, FileChanges } from "../ports/files/file-changes.ts";
import type { ObjectFacts, ObjectRead, ObjectStore } from "../ports/files/objects.ts";
import { mostUndoneBytes, type Undo, type UndoOffer } from "../ports/files/recent-changes.ts";
import { invitedLines } from "../ports/calendar/invited-people.ts";
import { isEventKey } from "./event-copies.ts";
import { copyKey } from "./undo-copies.ts";
import type { UndoTarget } from "./undo-target.ts";

interface Stores {
  objects: ObjectStore;
  files: UndoTarget;
  /** Undefined without a calendar. */
  events?: UndoTarget | undefined;
  changes: FileChanges;
  audit: AuditRecord;
}

/** Phrases for an undo: the form that follows "to", and the past tense. */
const words: Readonly<Record<FileChange["kind"], (name: string) => [does: string, did: string]>> = {
  created: (name) => [`remove ${name}`, `removed ${name}`],
  replaced: (name) => [`restore the earlier version of ${name}`, `restored ${name}`],
  deleted: (name) => [`restore ${name}`, `restored ${name}`],
};

const nothing = "Nothing was undone.";

/** The version of an absent file, which differs from every etag. */
const noFile = "";
const nobody = new Uint8Array();

/**
 * Creates undo. It restores an earlier version by a new change, which has the same conditions and can itself be undone.
 * The row of the new change names the undone one.
 */
export function createUndo({ objects, files, events, changes, audit }: Stores): Undo {
  /** Returns the target of the change. @throws {ToolError} `not_configured` */
  function targetOf({ key }: { key: string }): UndoTarget {
    if (!isEventKey(key)) return files;
    if (events !== undefined) return events;
    throw new ToolError("not_configured", `The calendar is not configured. ${nothing}`);
  }

  /** Returns the target's name for people, from the kept version or the present one. */
  async function nameOf(change: FileChange, current: ObjectFacts | undefined): Promise<string> {
    const target = targetOf(change);
    const copy = change.kind === "created" ? undefined : await objects.get(copyKey(change));
    const bytes = current?.bytes ?? 0;
    return await target.nameIn(
      change.key,
      copy?.body ?? (current === undefined ? nobody : await target.read(change.key, bytes)),
    );
  }

  /** Returns the change if its copy still exists. */
  async function undoable(undoId: string): Promise<FileChange> {
    const change = await changes.find(undoId);
    if (change === undefined) {
      throw new ToolError(
        "not_found",
        `The change ${undoId} does not exist, or can no longer be undone. ${nothing}`,
      );
    }
    if (change.isEvicted) throw notKept(change);
    if (!change.isExpired) return change;
    await objects.remove(copyKey(change));
    const until = change.until.toISOString();
    throw new ToolError("not_found", `The copy for ${undoId} was kept until ${until}. ${nothing}`);
  }

  /**
   * Returns the change with the version after it. Undefined if the change was not made, or if the file changed later.
   */
  async function settled(
    change: FileChange,
    current: ObjectFacts | undefined,
  ): Promise<FileChange | undefined> {
    if (change.state === "made") return change;
    const isMade =
      change.sha256 === undefined
        ? current === undefined
        : current !== undefined &&
          current.bytes <= mostUndoneBytes &&
          (await hashOf(current)) === change.sha256;
    if (!isMade) return undefined;
    await changes.confirm(change.undoId, current?.etag);
    return { ...change, state: "made", etagAfter: current?.etag };
  }

  async function hashOf({ key, bytes }: ObjectFacts): Promise<string> {
    return sha256Hex(await targetOf({ key }).read(key, bytes));
  }

  /**
   * Asserts that an undo would change the file.
   * @throws {ToolError} `conflict` if the file already is as before the change
   */
  async function assertDiffers(
    change: FileChange,
    current: ObjectFacts | undefined,
  ): Promise<void> {
    let isUndone = false;
    for (const undoing of await changes.undosOf(change.undoId)) {
      const made = await settled(undoing, current);
      if (made !== undefined && made.etagAfter === current?.etag) throw undoneAlready(change);
      isUndone ||= made !== undefined;
    }
    if (change.kind === "created" && current === undefined)
      throw isUndone ? undoneAlready(change) : deletedSince(change);
  }

  async function oppositeOf(change: FileChange, version: string, by: ChangeMaker): Promise<void> {
    const { key, kind } = change;
    if (kind === "created") {
      await targetOf(change).remove(key, { ifMatch: version, by });
      return;
    }
    const facts = await objects.head(copyKey(change));
    if (facts === undefined) throw notKept(change);
    assertRestorable(change, facts);
    const copy = await objects.get(copyKey(change));
    if (copy === undefined) throw notKept(change);
    const replaces = version === noFile ? undefined : version;
    const { mediaType, origin } = copy.facts;
    await targetOf(change).write(key, copy.body, { mediaType, origin, replaces, by });
  }

  /** Reads the present version, if its description needs the bytes. */
  async function presentBody(change: FileChange, { bytes }: ObjectFacts): Promise<Uint8Array> {
    return isEventKey(change.key) ? await targetOf(change).read(change.key, bytes) : nobody;
  }

  /** Returns the kept version, with its bytes only if its description needs them. A file may have hundreds of MB. */
  async function keptVersion(change: FileChange): Promise<ObjectRead | undefined> {
    if (isEventKey(change.key)) return await objects.get(copyKey(change));
    const facts = await objects.head(copyKey(change));
    return facts && { facts, body: nobody };
  }

  async function offer(undoId: string): Promise<UndoOffer> {
    const change = await undoable(undoId);
    const { key, kind, principal, until } = change;
    const target = targetOf(change);
    const current = await target.stat(key);
    await assertDiffers(change, current);
    const copy = kind === "created" ? undefined : await keptVersion(change);
    if (kind !== "created" && copy === undefined) throw notKept(change);
    if (copy !== undefined) assertRestorable(change, copy.facts);
    const newest = await settled(change, current);
    const version = current?.etag ?? noFile;
    const now = current === undefined ? nobody : await presentBody(change, current);
    const name = await target.nameIn(key, copy?.body ?? now);
    const versions = [now, copy?.body ?? nobody];
    const people = (await Promise.all(versions.map((body) => target.invitedIn(body)))).flat();
    const invited = [...new Set(people)];
    return {
      undoId,
      principal,
      noun: target.noun,
      key: name,
      invited,
      sentence: words[kind](name)[0],
      lines: [
        { label: target.noun, value: name },
        { label: "before", value: await target.describe(current, now, true) },
        { label: "after", value: await target.describe(copy?.facts, copy?.body ?? nobody, false) },
        ...invitedLines(invited),
      ],
      fingerprint: fingerprintOf(undoId, sha256Hex([key, kind, version].join("\0"))),
      until,
      version,
      isNewest: newest !== undefined && (newest.etagAfter ?? noFile) === version,
    };
  }

  return {
    offer,
    undo: async (undoId, { by, channel, version }) => {
      const change = await undoable(undoId);
      const { principal, key, kind } = change;
      const name = isEventKey(key) ? await nameOf(change, await targetOf(change).stat(key)) : key;
      const [does, did] = words[kind](name);
      const callId = randomId("undo");
      const event = (type: AuditEvent["type"], sentence: string, outcome: string): AuditEvent => ({
        type,
        at: new Date(),
        callId,
        principal,
        client: channel,
        tool: "undo",
        sentence,
        outcome: `${outcome} (${channel}, ${by})`,
      });
      await audit.append(event("started", does, "undo"));
      try {
        await oppositeOf(change, version, { principal, callId, undoes: undoId });
      } catch (thrown) {
        const error = await explained(change, version, asToolError(thrown, true));
        await recordBestEffort(audit, event("finished", does, error.kind));
        throw error;
      }
      await recordBestEffort(audit, event("finished", did, "ok"));
      return { sentence: did };
    },
  };

  /** Explains a failed condition in terms of the requested undo. */
  async function explained(
    change: FileChange,
    version: string,
    error: ToolError,
  ): Promise<ToolError> {
    if (error.sideEffects !== "none" || !["conflict", "not_found"].includes(error.kind))
      return error;
    const current = await targetOf(change).stat(change.key);
    if ((current?.etag ?? noFile) === version) return error;
    const undoing = await changes.undosOf(change.undoId);
    if (undoing.some(({ state, etagAfter }) => state === "made" && etagAfter === current?.etag))
      return undoneAlready(change);
    return new ToolError(
      "conflict",
      `${shown(change)} was changed again since it was shown. ${nothing}`,
      {
        cause: error,
      },
    );
  }
}

/** Asserts that undo can hold a copy in memory. @throws {ToolError} `too_large` */
function assertRestorable(change: FileChange, { bytes }: ObjectFacts): void {
  if (bytes <= mostUndoneBytes) return;
  throw new ToolError(
    "too_large",
    `${shown(change)} had ${formatSize(bytes)}. Undo restores files of up to ${formatSize(mostUndoneBytes)}. ${nothing}`,
    {
      hint: `The object store keeps the copy ${copyKey(change)} until ${change.until.toISOString()}. Copy it back with the tools of the store.`,
    },
  );
}

function shown({ key }: { key: string }): string {
  return isEventKey(key) ? "the event" : key;
}

function undoneAlready(change: { key: string }): ToolError {
  const message = `That change of ${shown(change)} is already undone. Nothing was done.`;
  return new ToolError("conflict", message);
}

function deletedSince(change: { key: string }): ToolError {
  const message = `That change made ${shown(change)}, which was deleted afterwards. ${nothing}`;
  return new ToolError("conflict", message);
}

function notKept(change: { key: string }): ToolError {
  const message = `That version of ${shown(change)} was already removed. ${nothing}`;
  return new ToolError("not_found", message);
}
