import { createInterface } from "node:readline/promises";
import type { Verdict } from "../../../core/approvals/ticket.ts";
import { isAtTerminal } from "../../platform/ask-line.ts";
import type { Printer } from "./printer.ts";

/** The person who answers the client's dialogs. */
export interface DemoPerson {
  /** The text of every dialog so far. */
  readonly questions: readonly string[];
  /** Sets the answer that the next step needs. */
  expect(verdict: Verdict): void;
  answer(question: string): Promise<Verdict>;
}

/**
 * Creates the person. On a terminal it is the user, whose Ctrl-C stops the demo. Otherwise it is a script that prints
 * its answers.
 */
export function createPerson(print: Printer, stop: AbortController): DemoPerson {
  const isReal = isAtTerminal();
  const questions: string[] = [];
  let wanted: Verdict = "approve";
  return {
    questions,
    expect: (verdict) => {
      wanted = verdict;
    },
    answer: async (question) => {
      questions.push(question);
      print.say("", "Nothing has run yet. The client asks the person:");
      print.quote(question);
      if (isReal) return await fromTerminal(wanted, stop);
      print.say(`This is not a terminal, so a script answers: ${wanted}.`);
      return wanted;
    },
  };
}

async function fromTerminal(wanted: Verdict, stop: AbortController): Promise<Verdict> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const giveUp = (): void => stop.abort();
  // In raw mode Ctrl-C arrives as a key and not as a signal. Ctrl-D closes the terminal.
  terminal.once("SIGINT", giveUp).once("close", giveUp);
  const hint = `the demo continues with ${wanted === "approve" ? "a" : "d"}`;
  const question = `   Approve once (a) or deny (d)? ${hint}: `;
  try {
    for (;;) {
      const typed = await terminal.question(question, { signal: stop.signal });
      const word = typed.trim().toLowerCase();
      if (word === "a" || word === "approve") return "approve";
      if (word === "d" || word === "deny") return "deny";
    }
  } finally {
    terminal.removeListener("close", giveUp).close();
  }
}
