import { formatAge, formatSize } from "../core/shared/text/format.ts";
import type { ChangeMaker } from "../ports/files/file-changes.ts";
import type { Files } from "../ports/files/files.ts";
import type { ObjectFacts, ObjectOrigin } from "../ports/files/objects.ts";

/** The store in which changes are undone: the files, or the calendar. */
export interface UndoTarget {
  /** `file` or `event`: the label before the name in an undo request. */
  noun: string;
  /** Returns the name in a sentence. @param body one of its versions */
  nameIn(key: string, body: Uint8Array): Promise<string>;
  /** Describes a version for people. `isNow` is true for the present version. */
  describe(facts: ObjectFacts | undefined, body: Uint8Array, isNow: boolean): Promise<string>;
  /** Returns the people in a version to whom the store's server may send a message about its change. */
  invitedIn(body: Uint8Array): Promise<readonly string[]>;
  stat(key: string): Promise<ObjectFacts | undefined>;
  read(key: string, bytes: number): Promise<Uint8Array>;
  write(
    key: string,
    body: Uint8Array,
    options: {
      mediaType: string;
      origin: ObjectOrigin | undefined;
      replaces: string | undefined;
      by: ChangeMaker;
    },
  ): Promise<unknown>;
  remove(key: string, options: { ifMatch: string; by: ChangeMaker }): Promise<unknown>;
}

export function createFileTarget(files: Files): UndoTarget {
  return {
    noun: "file",
    nameIn: (key) => Promise.resolve(key),
    describe: (facts, _, isNow) => Promise.resolve(formatFacts(facts, isNow)),
    invitedIn: () => Promise.resolve([]),
    stat: (key) => files.stat(key),
    read: async (key, bytes) => (await files.read(key, { offset: 0, length: bytes })).body,
    write: (key, body, options) => files.write(key, body, options),
    remove: (key, options) => files.remove(key, options),
  };
}

function formatFacts(facts: ObjectFacts | undefined, withAge: boolean): string {
  if (facts === undefined) return "no such file";
  const age = withAge ? `, ${formatAge(facts.modifiedAt, new Date())}` : "";
  return `${formatSize(facts.bytes)}, ${facts.mediaType}${age}`;
}
