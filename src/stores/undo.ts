import { type AuditEvent, type AuditRecord, recordBestEffort } from "../core/audit/audit.ts";
import { fingerprintOf, randomId, sha256Hex } from "../core/shared/digest.ts";
import { ToolError, asToolError } from "../core/tool/tool-error.ts";
import type { ChangeMaker, FileChange, FileChanges } from "../ports/files/file-changes.ts";
import type { ObjectFacts, ObjectRead, ObjectStore } from "../ports/files/objects.ts";
import type { Undo, UndoOffer } from "../ports/files/recent-changes.ts";
import { invitedLines } from "../ports/calendar/invited-people.ts";
import { isEventKey } from "./event-copies.ts";
import { copyKey } from "./undo-copies.ts";
import { assertRestorable, changedSince, notKept, nothing, undoneAlready } from "./undo-errors.ts";
import type { UndoTarget } from "./undo-target.ts";
import { createUndoableChanges } from "./undoable-changes.ts";

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

/** The version of an absent file, which differs from every etag. */
const noFile = "";
const noBytes = new Uint8Array();

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

  const recorded = createUndoableChanges({ objects, changes, targetOf });

  /** Returns the target's name for people, from the kept version or the present one. */
  async function nameOf(change: FileChange, current: ObjectFacts | undefined): Promise<string> {
    const target = targetOf(change);
    const copy = change.kind === "created" ? undefined : await objects.get(copyKey(change));
    const bytes = current?.bytes ?? 0;
    return await target.nameIn(
      change.key,
      copy?.body ?? (current === undefined ? noBytes : await target.read(change.key, bytes)),
    );
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
    return isEventKey(change.key) ? await targetOf(change).read(change.key, bytes) : noBytes;
  }

  /** Returns the kept version, with its bytes only if its description needs them. A file may have hundreds of MB. */
  async function keptVersion(change: FileChange): Promise<ObjectRead | undefined> {
    if (isEventKey(change.key)) return await objects.get(copyKey(change));
    const facts = await objects.head(copyKey(change));
    return facts && { facts, body: noBytes };
  }

  async function offer(undoId: string): Promise<UndoOffer> {
    const change = await recorded.undoable(undoId);
    const { key, kind, principal, until } = change;
    const target = targetOf(change);
    const current = await target.stat(key);
    await recorded.assertDiffers(change, current);
    const copy = kind === "created" ? undefined : await keptVersion(change);
    if (kind !== "created" && copy === undefined) throw notKept(change);
    if (copy !== undefined) assertRestorable(change, copy.facts);
    const newest = await recorded.settled(change, current);
    const version = current?.etag ?? noFile;
    const now = current === undefined ? noBytes : await presentBody(change, current);
    const name = await target.nameIn(key, copy?.body ?? now);
    const versions = [now, copy?.body ?? noBytes];
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
        { label: "after", value: await target.describe(copy?.facts, copy?.body ?? noBytes, false) },
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
      const change = await recorded.undoable(undoId);
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
    return changedSince(change, error);
  }
}
