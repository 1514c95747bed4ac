import { type AuditEvent, type AuditLog, recordBestEffort } from "../core/audit/audit.ts";
import { fingerprintOf, randomId, sha256Hex } from "../core/shared/digest.ts";
import { formatAge, formatSize } from "../core/shared/format.ts";
import { ToolError, asToolError } from "../core/tool/tool-error.ts";
import type { ChangeMaker, FileChange, FileChanges } from "../ports/files/file-changes.ts";
import type { Files } from "../ports/files/files.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import type { Undo, UndoOffer } from "../ports/files/recent-changes.ts";
import { copyKey } from "./undo-copies.ts";

interface Stores {
  objects: ObjectStore;
  files: Files;
  changes: FileChanges;
  audit: AuditLog;
}

/** Phrases for an undo: after "to", and in the past tense. */
const words: Readonly<Record<FileChange["kind"], (key: string) => [does: string, did: string]>> = {
  created: (key) => [`remove ${key} again`, `removed ${key}`],
  replaced: (key) => [`put ${key} back as it was`, `restored ${key}`],
  deleted: (key) => [`bring ${key} back`, `restored ${key}`],
};

const nothing = "Nothing was undone.";

/** The version of an absent file. No etag is empty. */
const noFile = "";

/**
 * Creates undo. It restores an earlier version with a change of its own, which has the same conditions and can itself
 * be undone. Its
 * row names the undone change.
 */
export function createUndo({ objects, files, changes, audit }: Stores): Undo {
  /** Returns the change if its copy still exists. */
  async function undoable(undoId: string): Promise<FileChange> {
    const change = await changes.find(undoId);
    if (change === undefined) {
      throw new ToolError(
        "not_found",
        `The change ${undoId} does not exist, or its time has ended. ${nothing}`,
      );
    }
    if (change.isEvicted) throw notKept(change);
    if (!change.isOver) return change;
    await objects.remove(copyKey(change));
    const until = change.until.toISOString();
    throw new ToolError("not_found", `The copy for ${undoId} was kept until ${until}. ${nothing}`);
  }

  /** Returns the change with the version that it left. Undefined if it was not made, or the file changed later. */
  async function settled(
    change: FileChange,
    current: ObjectFacts | undefined,
  ): Promise<FileChange | undefined> {
    if (change.state === "made") return change;
    const isMade =
      change.sha256 === undefined
        ? current === undefined
        : current !== undefined && (await hashOf(current)) === change.sha256;
    if (!isMade) return undefined;
    await changes.made(change.undoId, current?.etag);
    return { ...change, state: "made", left: current?.etag };
  }

  async function hashOf({ key, bytes }: ObjectFacts): Promise<string> {
    return sha256Hex((await files.read(key, { offset: 0, length: bytes })).body);
  }

  /**
   * Checks that an undo would change the file.
   * @throws {ToolError} `conflict` if the file already is as before the change
   */
  async function mustDiffer(change: FileChange, current: ObjectFacts | undefined): Promise<void> {
    for (const undoing of await changes.undoing(change.undoId)) {
      const made = await settled(undoing, current);
      if (made !== undefined && made.left === current?.etag) throw undoneAlready(change);
    }
    if (change.kind === "created" && current === undefined) throw undoneAlready(change);
  }

  async function oppositeOf(change: FileChange, version: string, by: ChangeMaker): Promise<void> {
    const { key, kind } = change;
    if (kind === "created") {
      await files.remove(key, { ifMatch: version, by });
      return;
    }
    const copy = await objects.get(copyKey(change));
    if (copy === undefined) throw notKept(change);
    const replaces = version === noFile ? undefined : version;
    await files.write(key, copy.body, { mediaType: copy.facts.mediaType, replaces, by });
  }

  async function look(undoId: string): Promise<UndoOffer> {
    const change = await undoable(undoId);
    const { key, kind, principal, until } = change;
    const current = await files.stat(key);
    await mustDiffer(change, current);
    const copy = kind === "created" ? undefined : await objects.head(copyKey(change));
    if (kind !== "created" && copy === undefined) throw notKept(change);
    const newest = await settled(change, current);
    const version = current?.etag ?? noFile;
    return {
      undoId,
      principal,
      key,
      sentence: words[kind](key)[0],
      lines: [
        { label: "file", value: key },
        { label: "before", value: factsInWords(current, true) },
        { label: "after", value: factsInWords(copy, false) },
      ],
      fingerprint: fingerprintOf(undoId, sha256Hex([key, kind, version].join("\0"))),
      until,
      version,
      isNewest: newest !== undefined && (newest.left ?? noFile) === version,
    };
  }

  return {
    look,
    undo: async (undoId, { by, channel, version }) => {
      const change = await undoable(undoId);
      const { principal, key, kind } = change;
      const [does, did] = words[kind](key);
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
    const current = await files.stat(change.key);
    if ((current?.etag ?? noFile) === version) return error;
    const undoing = await changes.undoing(change.undoId);
    if (undoing.some(({ state, left }) => state === "made" && left === current?.etag))
      return undoneAlready(change);
    return new ToolError(
      "conflict",
      `${change.key} was changed again since it was shown. ${nothing}`,
      {
        cause: error,
      },
    );
  }
}

function factsInWords(facts: ObjectFacts | undefined, withAge: boolean): string {
  if (facts === undefined) return "no such file";
  const age = withAge ? `, ${formatAge(facts.modifiedAt, new Date())}` : "";
  return `${formatSize(facts.bytes)}, ${facts.mediaType}${age}`;
}

function undoneAlready({ key }: { key: string }): ToolError {
  return new ToolError("conflict", `That change of ${key} is already undone. Nothing was done.`);
}

function notKept({ key }: { key: string }): ToolError {
  return new ToolError("not_found", `That version of ${key} is not kept any more. ${nothing}`);
}
