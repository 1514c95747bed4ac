import type { Authentication } from "../../ports/mail/mail-reader.ts";
import type {
  ClaimedMail,
  MailFacts,
  MailProgress,
  MailSummary,
} from "../../ports/mail/mail-store.ts";

/** A message on its way through the steps, with what the steps before have found. */
export interface MailInHand extends Omit<ClaimedMail, "facts"> {
  facts?: Omit<MailFacts, "attachments"> & Partial<Pick<MailFacts, "attachments">>;
  /** The message as it was received, where it came in just now; otherwise it is in its inbox or in the object store. */
  raw?: Uint8Array | undefined;
  /** The readable text and its summary, where a step of this run has them already. */
  text?: string;
  extract?: string;
}

/** What a step found out; the runner writes it down. */
export interface Findings {
  authentication?: Authentication;
  facts?: MailFacts;
  summary?: MailSummary;
  searchable?: NonNullable<MailProgress["searchable"]>;
  leavesInbox?: true;
  toSummarise?: true;
  toTell?: true;
  /** Handed to the next steps of this run, written nowhere. */
  text?: string;
  extract?: string;
  raw?: Uint8Array | undefined;
  inbox?: undefined;
}

/**
 * One thing that happens to every message after it was kept. Steps run in the order of their list, at least once each: a
 * crash repeats the step, so running it twice must lead to the same.
 */
export interface Step {
  readonly name: string;
  /** Tries before `otherwise`, or before the message ends in `failed`. */
  readonly attempts: number;
  /** Written down before the next step begins. For what is slow or costs money; the rest is written with what follows. */
  readonly isCheckpoint: boolean;
  run(mail: MailInHand): Promise<Findings>;
  /** What is good enough when all attempts have failed: the message then goes on. */
  readonly otherwise?: (mail: MailInHand, reason: string) => Promise<Findings>;
}
