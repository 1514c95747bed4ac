import type { Log } from "../../../core/shared/log.ts";
import {
  type Policy,
  type PolicyContent,
  compilePolicy,
  narrower,
} from "../../../core/policy/policy.ts";
import type { KnownTool } from "../../../core/policy/file/policy-schema.ts";
import { widenings } from "../../../core/policy/file/widening.ts";
import { PolicyFileError, idleSentences, readPolicyFile } from "./read-policy-file.ts";
import { stampOf } from "../../platform/safe-file.ts";

/**
 * Poll interval of the file. Editors overwrite or replace it, and some file systems send no notification, so polling is
 * used for all. Milliseconds.
 */
const checkEvery = 500;

/** A changed file that allows more than before. */
export interface Widening {
  path: string;
  /** SHA-256 of the file's text and of the rules in it that approve nothing. One approval counts for every process that reads the same text. */
  digest: string;
  /** Describes the additional permissions. */
  lines: readonly string[];
}

/** Requests approval of a widening and returns the decision so far. */
export type AskWidening = (widening: Widening) => Promise<"yes" | "no" | "waiting">;

/** The policy file of a process while it runs. */
export interface LivePolicy {
  current(): Policy;
  /** Registers a function for changes of the effective policy. */
  onChange(changed: () => void): void;
  /** Enables approval requests for widenings. Before an approval the narrower policy applies. */
  askWith(ask: AskWidening): void;
  /** Reads the file again after the reviewed tools changed, which a rule may name. */
  toolsChanged(): void;
  close(): void;
}

interface Accepted {
  policy: Policy;
  content: PolicyContent;
  digest: string;
}

/**
 * Opens the policy file. At a start the file applies as it is, because its author could also start the program. Later,
 * a narrower file applies immediately, a wider one waits for approval, and an unreadable one is ignored.
 * @throws PolicyFileError
 */
export function openLivePolicy(
  path: string,
  tools: () => readonly KnownTool[],
  log: Log,
): LivePolicy {
  /** Sentences that were logged. The file is read again after each change of an upstream server. */
  const reported = new Set<string>();
  let accepted = compiled();
  let current = accepted.policy;
  /** The digest of the last file that was considered, also of one that a person has not approved. */
  let considered = accepted.digest;
  let waiting: { next: Accepted; widening: Widening } | undefined;
  let ask: AskWidening | undefined;
  let stamp: string | undefined;
  /** The stamp of a changed file that has not been read yet. */
  let fresh: string | undefined;
  let isChecking = false;
  const listeners: (() => void)[] = [];

  function compiled(): Accepted {
    const read = readPolicyFile(path, tools());
    const { content, digest } = read;
    for (const sentence of idleSentences(read)) reportOnce(sentence);
    return { policy: compilePolicy(content), content, digest };
  }

  function reportOnce(sentence: string): void {
    if (reported.has(sentence)) return;
    reported.add(sentence);
    log.warn(sentence, { path });
  }

  function hold(policy: Policy): void {
    current = policy;
    for (const changed of listeners) changed();
  }

  function take(next: Accepted): void {
    waiting = undefined;
    considered = next.digest;
    if (next.digest === accepted.digest) {
      if (current !== accepted.policy) hold(accepted.policy);
      return;
    }
    const lines = widenings({
      before: accepted.policy,
      after: next.policy,
      contents: [accepted.content, next.content],
      tools: tools().map(({ name }) => name),
    });
    if (lines.length === 0) {
      accepted = next;
      log.info("the policy file changed and applies", { path });
      return hold(next.policy);
    }
    waiting = { next, widening: { path, digest: next.digest, lines } };
    log.warn(
      "the policy file changed and allows more; until a person approves it, only calls allowed by both versions run",
      { path },
    );
    hold(narrower(accepted.policy, next.policy));
  }

  /**
   * Reads the file again, and keeps the current version if it has a fault.
   * @param isNew true if the file changed. False if only the tools changed
   */
  function reread(isNew: boolean): void {
    try {
      const next = compiled();
      // A person is not asked again about the same file, because a server may change its tools at any time.
      if (isNew || next.digest !== considered) take(next);
    } catch (error) {
      if (!(error instanceof PolicyFileError)) throw error;
      log.error(
        `the policy file cannot be used; its last valid version still applies: ${error.message}`,
      );
    }
  }

  async function settleWidening(): Promise<void> {
    const asked = waiting;
    if (asked === undefined || ask === undefined) return;
    const answer = await ask(asked.widening);
    // The file may have changed again while the request was open.
    if (answer === "waiting" || waiting !== asked) return;
    waiting = undefined;
    log.info(`the wider policy was ${answer === "yes" ? "approved and applies" : "denied"}`, {
      path,
    });
    if (answer === "no") return;
    accepted = asked.next;
    hold(accepted.policy);
  }

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      const now = await stampOf(path);
      // Two equal stamps in a row: the write is complete.
      if (now !== stamp) fresh = now;
      else if (fresh !== undefined) {
        fresh = undefined;
        reread(true);
      }
      stamp = now;
      await settleWidening();
    } catch (cause) {
      log.warn("checking the policy file for changes failed", { cause });
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(() => void check(), checkEvery);
  timer.unref();

  return {
    current: () => current,
    onChange: (changed) => void listeners.push(changed),
    askWith: (how) => (ask = how),
    toolsChanged: () => {
      // A file that is being changed is read when its change is complete.
      if (fresh === undefined) reread(false);
    },
    close: () => clearInterval(timer),
  };
}
