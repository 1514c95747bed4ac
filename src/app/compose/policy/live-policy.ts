import { stat } from "node:fs/promises";
import type { Log } from "../../../core/shared/log.ts";
import {
  type Policy,
  type PolicyContent,
  compilePolicy,
  narrower,
} from "../../../core/policy/policy.ts";
import type { KnownTool } from "../../../core/policy/file/policy-schema.ts";
import { widenings } from "../../../core/policy/file/widening.ts";
import { PolicyFileError, readPolicyFile } from "./read-policy-file.ts";

/**
 * How often the file is looked at. Editors write it in place or put another in its place, and some file systems tell nobody:
 * looking works for all of them. Milliseconds.
 */
const lookEvery = 500;

/** A changed file that allows more than before. */
export interface Widening {
  path: string;
  /** Over the file's text: one yes holds for every process that reads the same. */
  digest: string;
  /** What it would allow, in words. */
  lines: readonly string[];
}

/** Asks people whether a widening may hold, and says what they said so far. */
export type AskWidening = (widening: Widening) => Promise<"yes" | "no" | "waiting">;

/** The policy file of a process while it runs. */
export interface LivePolicy {
  current(): Policy;
  /** Called after each change of what holds. */
  onChange(changed: () => void): void;
  /** From now on people can be asked about a widening. Until then, and until they say yes, the narrower policy holds. */
  askWith(ask: AskWidening): void;
  close(): void;
}

interface Accepted {
  policy: Policy;
  content: PolicyContent;
  digest: string;
}

/**
 * Reads the file, which at a start counts as it is: whoever can write it can start the program. A later change that narrows
 * acts at once, one that widens waits for a person, and one that cannot be read changes nothing. Throws PolicyFileError.
 */
export function openLivePolicy(
  path: string,
  tools: () => readonly KnownTool[],
  log: Log,
): LivePolicy {
  let accepted = compiled();
  let current = accepted.policy;
  let waiting: { next: Accepted; widening: Widening } | undefined;
  let ask: AskWidening | undefined;
  let stamp: string | undefined;
  /** A stamp that differs from the one before, of a file that has not been read since. */
  let fresh: string | undefined;
  let looking = false;
  const listeners: (() => void)[] = [];

  function compiled(): Accepted {
    const { content, digest } = readPolicyFile(path, tools());
    return { policy: compilePolicy(content), content, digest };
  }

  function hold(policy: Policy): void {
    current = policy;
    for (const changed of listeners) changed();
  }

  function take(next: Accepted): void {
    waiting = undefined;
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
      "the policy file changed and allows more: until a person says yes, what both allow holds",
      { path },
    );
    hold(narrower(accepted.policy, next.policy));
  }

  function reread(): void {
    try {
      take(compiled());
    } catch (error) {
      if (!(error instanceof PolicyFileError)) throw error;
      log.error(`the policy file cannot be used, the last good one holds on: ${error.message}`);
    }
  }

  async function settleWidening(): Promise<void> {
    const asked = waiting;
    if (asked === undefined || ask === undefined) return;
    const answer = await ask(asked.widening);
    // The file may have changed once more while people were asked.
    if (answer === "waiting" || waiting !== asked) return;
    waiting = undefined;
    log.info(`the wider policy was ${answer === "yes" ? "approved and applies" : "denied"}`, {
      path,
    });
    if (answer === "no") return;
    accepted = asked.next;
    hold(accepted.policy);
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    try {
      const now = await stampOf(path);
      // Twice the same: nobody is in the middle of writing it.
      if (now !== stamp) fresh = now;
      else if (fresh !== undefined) {
        fresh = undefined;
        reread();
      }
      stamp = now;
      await settleWidening();
    } catch (cause) {
      log.warn("the policy could not be looked after", { cause });
    } finally {
      looking = false;
    }
  }

  const timer = setInterval(() => void look(), lookEvery);
  timer.unref();

  return {
    current: () => current,
    onChange: (changed) => void listeners.push(changed),
    askWith: (how) => (ask = how),
    close: () => clearInterval(timer),
  };
}

/** Changes with everything that can be done to the file. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "none";
  }
}
