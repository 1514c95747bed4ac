import type { Log } from "../../core/shared/log.ts";
import type { ClaimedMail, MailStore, NextState } from "../../ports/mail/mail-store.ts";
import type { MailInProgress, Step, StepResult } from "./step.ts";

export interface StepRunnerSettings {
  store: Pick<MailStore, "advance">;
  steps: readonly Step[];
  log: Log;
  /** Returns the pause after a failed attempt, in milliseconds. Attempts count from 1. */
  backOffMs: (attempts: number) => number;
}

export interface StepRunner {
  /** Runs the remaining steps of a message and records its progress. Never rejects. */
  run(claimed: MailInProgress): Promise<void>;
  /** Returns why the last step or its record failed. Undefined after a success. */
  trouble(): string | undefined;
}

/** Creates the runner of steps. Each failed attempt is logged, and its message is tried again or given up. */
export function createStepRunner({ store, steps, log, backOffMs }: StepRunnerSettings): StepRunner {
  const names = steps.map(({ name }) => name);
  let trouble: string | undefined;

  async function run(claimed: MailInProgress): Promise<void> {
    let mail: MailInProgress = claimed;
    let written: MailInProgress = claimed;
    let unwritten: StepResult = {};
    for (let index = names.indexOf(claimed.step); index < steps.length; index += 1) {
      const step = steps[index];
      if (step === undefined) return;
      const attempts = step.name === claimed.step ? claimed.attempts : 1;
      const result = await attempt(step, mail, attempts);
      const found = "findings" in result ? result.findings : {};
      unwritten = { ...unwritten, ...found };
      mail = { ...mail, ...found };
      const following = steps[index + 1];
      const next: NextState =
        "next" in result
          ? result.next
          : following === undefined
            ? { kind: "finish" }
            : { kind: "run", step: following.name };
      if (next.kind === "run" && !step.isCheckpoint) continue;
      if (!(await write(written, unwritten, next)) || next.kind !== "run") return;
      written = mail;
      unwritten = {};
    }
  }

  async function attempt(
    step: Step,
    mail: MailInProgress,
    attempts: number,
  ): Promise<{ findings: StepResult } | { next: NextState }> {
    // After more attempts than allowed, the process must have died in this step each time.
    let reason = "the process ended in this step each time";
    if (attempts <= step.attempts) {
      try {
        const findings = await step.run(mail);
        trouble = undefined;
        return { findings };
      } catch (cause) {
        reason = cause instanceof Error ? cause.message : String(cause);
        trouble = reason;
        log.warn("a step of a mail failed", {
          emailId: mail.emailId,
          step: step.name,
          attempts,
          cause,
        });
      }
      if (attempts < step.attempts) {
        return {
          next: { kind: "retry", step: step.name, attempts, afterMs: backOffMs(attempts), reason },
        };
      }
    }
    try {
      if (step.otherwise !== undefined) return { findings: await step.otherwise(mail, reason) };
    } catch (cause) {
      log.warn("a step of a mail failed permanently", {
        emailId: mail.emailId,
        step: step.name,
        cause,
      });
    }
    return { next: { kind: "give up", step: step.name, reason } };
  }

  /**
   * Records the progress of a message. Returns false if the lease was lost or the store failed. The step is then
   * repeated.
   */
  async function write(claimed: ClaimedMail, found: StepResult, next: NextState): Promise<boolean> {
    const { text: _text, extract: _extract, raw: _raw, inbox: _inbox, ...progress } = found;
    try {
      return await store.advance(claimed, { ...progress, next });
    } catch (cause) {
      trouble = cause instanceof Error ? cause.message : String(cause);
      log.warn("recording the progress of a mail failed", { emailId: claimed.emailId, cause });
      return false;
    }
  }

  return { run, trouble: () => trouble };
}
