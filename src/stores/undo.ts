import { type AuditEvent, type AuditLog, putOnRecord } from "../core/audit.ts";
import { fingerprintOf, randomId, sha256Hex } from "../core/digest.ts";
import { ageInWords, sizeInWords } from "../core/in-words.ts";
import type { Line } from "../core/tool.ts";
import { ToolError, asToolError } from "../core/tool-error.ts";
import type { ChangeMaker, FileChange, FileChanges } from "../ports/file-changes.ts";
import type { Files } from "../ports/files.ts";
import type { ObjectFacts, ObjectRead, ObjectStore } from "../ports/objects.ts";
import type { Undo } from "../ports/recent-changes.ts";
import { copyKey } from "./undo-copies.ts";

interface Stores {
  objects: ObjectStore;
  files: Files;
  changes: FileChanges;
  audit: AuditLog;
}

/** What undoing does, as after "to", and in the past tense. */
const words: Readonly<Record<FileChange["kind"], (key: string) => [does: string, did: string]>> = {
  created: (key) => [`remove ${key} again`, `removed ${key} again`],
  replaced: (key) => [`put ${key} back as it was`, `put ${key} back as it was`],
  deleted: (key) => [`bring ${key} back`, `brought ${key} back`],
};

const nothing = "Nothing was undone.";

/**
 * Undoes a change of a file by making the opposite one: as conditional as every change, so nothing newer is lost, and with an
 * undo of its own. What was done is told by that second change, which names the first.
 */
export function createUndo({ objects, files, changes, audit }: Stores): Undo {
  /** The change, where it can be undone as far as its row tells. */
  async function undoable(undoId: string): Promise<FileChange> {
    const change = await changes.find(undoId);
    if (change === undefined) {
      throw new ToolError(
        "not_found",
        `There is no change ${undoId}, or its time is over. ${nothing}`,
      );
    }
    if (change.isOver) {
      await objects.remove(copyKey(change));
      const until = change.until.toISOString();
      throw new ToolError(
        "not_found",
        `What ${undoId} changed was kept until ${until}. ${nothing}`,
      );
    }
    for (const undoing of await changes.undoing(undoId)) {
      if ((await settled(undoing)) !== undefined) throw undoneAlready(change);
    }
    const sure = await settled(change);
    if (sure === undefined) {
      throw new ToolError(
        "conflict",
        `The server stopped in the middle of that change, and ${change.key} is not what it would have left. ${nothing}`,
      );
    }
    return sure;
  }

  /** The change with what it left; undefined where it was not made, or something newer is there. */
  async function settled(change: FileChange): Promise<FileChange | undefined> {
    if (change.state === "made") return change;
    const facts = await files.stat(change.key);
    const isMade =
      change.sha256 === undefined
        ? facts === undefined
        : facts !== undefined && (await hashOf(change.key, facts)) === change.sha256;
    if (!isMade) return undefined;
    await changes.made(change.undoId, facts?.etag);
    return { ...change, state: "made", left: facts?.etag };
  }

  async function hashOf(key: string, { bytes }: ObjectFacts): Promise<string> {
    return sha256Hex((await files.read(key, { offset: 0, length: bytes })).body);
  }

  async function kept(change: FileChange): Promise<ObjectRead> {
    const copy = await objects.get(copyKey(change));
    if (copy !== undefined) return copy;
    throw new ToolError("not_found", `The old ${change.key} is not there any more. ${nothing}`);
  }

  async function oppositeOf(change: FileChange, by: ChangeMaker): Promise<void> {
    const { key, kind, left } = change;
    if (kind === "created") {
      await files.remove(key, { ifMatch: left ?? "", by });
      return;
    }
    const { facts, body } = await kept(change);
    await files.write(key, body, {
      mediaType: facts.mediaType,
      replaces: kind === "deleted" ? undefined : (left ?? ""),
      by,
    });
  }

  async function lines({ key, kind, undoId }: FileChange): Promise<Line[]> {
    const now = await files.stat(key);
    const copy = kind === "created" ? undefined : await objects.head(copyKey({ undoId, key }));
    const inWords = (facts: ObjectFacts | undefined): string =>
      facts === undefined ? "no such file" : `${sizeInWords(facts.bytes)}, ${facts.mediaType}`;
    const age = now === undefined ? "" : `, ${ageInWords(now.modifiedAt, new Date())}`;
    return [
      { label: "file", value: key },
      { label: "before", value: `${inWords(now)}${age}` },
      { label: "after", value: inWords(copy) },
    ];
  }

  return {
    look: async (undoId) => {
      const change = await undoable(undoId);
      const { key, kind, left = "", principal, until } = change;
      const [sentence] = words[kind](key);
      const fingerprint = fingerprintOf(undoId, sha256Hex([key, kind, left].join("\0")));
      return { undoId, principal, sentence, lines: await lines(change), fingerprint, until };
    },

    undo: async (undoId, { by, door }) => {
      const change = await undoable(undoId);
      const { principal, key, kind } = change;
      const [does, did] = words[kind](key);
      const callId = randomId("undo");
      const event = (type: AuditEvent["type"], sentence: string, outcome: string): AuditEvent => ({
        type,
        at: new Date(),
        callId,
        principal,
        client: door,
        tool: "undo",
        sentence,
        outcome: `${outcome} (${door}, ${by})`,
      });
      await audit.append(event("started", does, "undo"));
      try {
        await oppositeOf(change, { principal, callId, undoes: undoId });
      } catch (thrown) {
        const error = await explained(change, asToolError(thrown, true));
        await putOnRecord(audit, event("finished", does, error.kind));
        throw error;
      }
      await putOnRecord(audit, event("finished", did, "ok"));
      return { sentence: did };
    },
  };

  /** A condition that did not hold, in words about what the person wanted. */
  async function explained(change: FileChange, error: ToolError): Promise<ToolError> {
    if (error.sideEffects !== "none" || !["conflict", "not_found"].includes(error.kind))
      return error;
    const undoing = await changes.undoing(change.undoId);
    if (undoing.some(({ state }) => state === "made")) return undoneAlready(change);
    if ((await files.stat(change.key))?.etag === change.left) return error;
    return new ToolError(
      "conflict",
      `${change.key} was changed again since then, and that would be lost. ${nothing}`,
      { cause: error },
    );
  }
}

function undoneAlready({ key }: { key: string }): ToolError {
  return new ToolError("conflict", `That change of ${key} is already undone. Nothing was done.`);
}
