import type { Line } from "../../core/tool/tool.ts";
import type { ApprovalChannel } from "../../core/approvals/ticket.ts";

/** Undo restores files up to this size, because it holds the whole file in memory. Bytes. */
export const mostUndoneBytes = 64_000_000;

/** A change that was made without approval, or that can be undone. */
export interface RecentChange {
  /** The number of the event. Increases. */
  seq: number;
  at: Date;
  principal: string;
  /** The name that the client chose for itself, or the approval channel of a person. */
  client: string;
  tool: string;
  /** A sentence in the past tense about the change. It may contain untrusted text. */
  sentence: string;
  /** An approval request preceded the call. */
  wasAsked?: boolean;
  /** The changed file, if any. */
  key?: string;
  /** The change that this one undid. */
  undoes?: string;
  undo?: {
    undoId: string;
    until: Date;
    /** `possible`: not undone yet, within its time, and its copy exists. Undo may still fail. */
    state: "possible" | "undone" | "over";
  };
}

/** The recent changes, which approval channels report to people. Errors: `unavailable`. */
export interface RecentChanges {
  /**
   * Returns changes after the event `after`, oldest first, so that each can be reported once.
   * @param limit 1 to 1000
   */
  since(after: number, limit: number): Promise<readonly RecentChange[]>;
  /**
   * Returns changes, newest first.
   * @param filter `from` is the oldest time, `principal` limits them to one caller
   */
  newest(filter: {
    from: Date;
    principal?: string;
    limit: number;
  }): Promise<readonly RecentChange[]>;
  /** Returns the number of the newest event, from which new reports start. */
  head(): Promise<number>;
}

/** A preview of an undo for a person. */
export interface UndoOffer {
  undoId: string;
  /** The caller that made the change. Its approvers may undo it. */
  principal: string;
  /** `file` or `event`. */
  noun: string;
  /** The name of the file or event. */
  key: string;
  /** The people to whom the calendar server may send a message about this undo. `lines` names them too. */
  invited: readonly string[];
  /** Describes the undo: `restored notes/a.md`. */
  sentence: string;
  lines: readonly Line[];
  fingerprint: string;
  until: Date;
  /** The file's version as these lines show it. Empty if the file does not exist now. */
  version: string;
  /** True if no later change affected the file. */
  isNewest: boolean;
}

/**
 * Restores the version of a file from before a change, regardless of later changes. Only approval channels can use it,
 * and no tool. An undo id carries no authority. Errors, after which nothing was done: `not_found` if the change is
 * unknown or its copy was removed, `conflict` if the file already has that version or no longer has the version that
 * was shown.
 */
export interface Undo {
  offer(undoId: string): Promise<UndoOffer>;
  /**
   * Undoes a change.
   * @param person `by` was authenticated by the approval channel, which also checked `mayDecide`. `version` is from the
   * offer that this person saw.
   */
  undo(
    undoId: string,
    person: { by: string; channel: ApprovalChannel; version: string },
  ): Promise<{ sentence: string }>;
}
