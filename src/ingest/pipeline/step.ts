import type { Authentication } from "../../ports/mail/mail-reader.ts";
import type {
  ClaimedMail,
  MailFacts,
  MailProgress,
  MailSummary,
} from "../../ports/mail/mail-store.ts";

/** A message and the results of the steps so far. */
export interface MailInProgress extends Omit<ClaimedMail, "facts"> {
  facts?: Omit<MailFacts, "attachments"> & Partial<Pick<MailFacts, "attachments">>;
  /** The message as received, if it just arrived. Otherwise it is in its row or in the object store. */
  raw?: Uint8Array | undefined;
  /** The readable text and its extract, if a step of this run made them. */
  text?: string;
  extract?: string;
}

/** The result of a step. The runner records it. */
export interface StepResult {
  authentication?: Authentication;
  facts?: MailFacts;
  summary?: MailSummary;
  searchable?: NonNullable<MailProgress["searchable"]>;
  leavesInbox?: true;
  toSummarise?: true;
  toTell?: true;
  /** Passed to the next steps of this run, and not stored. */
  text?: string;
  extract?: string;
  raw?: Uint8Array | undefined;
  inbox?: undefined;
}

/**
 * One step of processing for every accepted message. Steps run in the order of their list, each at least once. A crash
 * repeats a step, so each must be idempotent.
 */
export interface Step {
  readonly name: string;
  /** Attempts before `otherwise` runs or the message ends in `failed`. */
  readonly attempts: number;
  /**
   * True if the result is recorded before the next step begins: for steps that are slow or cost money. Other results
   * are recorded with a later step.
   */
  readonly isCheckpoint: boolean;
  run(mail: MailInProgress): Promise<StepResult>;
  /** The fallback after all attempts failed. The message then continues. */
  readonly otherwise?: (mail: MailInProgress, reason: string) => Promise<StepResult>;
}
