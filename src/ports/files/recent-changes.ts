import type { Line } from "../../core/tool/tool.ts";
import type { ApprovalChannel } from "../../core/approvals/ticket.ts";

/** Something that was done without asking, or that can be undone. */
export interface RecentChange {
  /** Its place in the order of events; grows. */
  seq: number;
  at: Date;
  principal: string;
  /** The program's own word for itself, or the approval channel of a person. */
  client: string;
  tool: string;
  /** What was done, in the past tense; text that others wrote may be in it. */
  sentence: string;
  /** The file that was changed, where it was one. */
  key?: string;
  /** The change that this one took back. */
  undoes?: string;
  undo?: {
    undoId: string;
    until: Date;
    /** `possible` says no more than that nobody has done it, its time is not over and its copy is still kept. */
    state: "possible" | "undone" | "over";
  };
}

/** For approval channels: what people are told of by itself. Errors: `unavailable`. */
export interface RecentChanges {
  /** Behind `after`, oldest first: for who tells of each once. `limit`: 1 to 1000. */
  since(after: number, limit: number): Promise<readonly RecentChange[]>;
  /** Newest first. `from`: nothing older. `principal`: only that one's. */
  newest(filter: {
    from: Date;
    principal?: string;
    limit: number;
  }): Promise<readonly RecentChange[]>;
  /** The number of the newest event: where somebody begins who tells only of what comes. */
  head(): Promise<number>;
}

/** What undoing would do, as a person sees it before. */
export interface UndoOffer {
  undoId: string;
  /** Whose change it was: who decides for that one may undo it. */
  principal: string;
  /** The file. */
  key: string;
  /** What undoing does: `put notes/a.md back`. */
  sentence: string;
  lines: readonly Line[];
  fingerprint: string;
  until: Date;
  /** The file's version as these lines show it; empty if there is no file now. */
  version: string;
  /** True if nothing changed the file after this change. */
  isNewest: boolean;
}

/**
 * Restores versions of files: the one that was there before a change, whatever came after it. Only approval channels have it:
 * no tool does, and an id proves nothing. Errors: `not_found` if the change is unknown or its copy is gone, `conflict` if the
 * file is that version already or is not the one that was shown; then nothing was done.
 */
export interface Undo {
  look(undoId: string): Promise<UndoOffer>;
  /**
   * `by`: who asked for it, as the approval channel has proved; it has also checked that this person may (`mayDecide`).
   * `version`: of the offer that this person saw.
   */
  undo(
    undoId: string,
    person: { by: string; channel: ApprovalChannel; version: string },
  ): Promise<{ sentence: string }>;
}
