import { createInterface } from "node:readline/promises";
import type { Verdict } from "../../../core/approvals/ticket.ts";
import type { Printer } from "./printer.ts";

/** Whoever sits before the client's dialog. */
export interface DemoPerson {
  /** Every dialog that was opened, in the words that it showed. */
  readonly questions: readonly string[];
  /** What the story needs to be answered next. */
  expect(verdict: Verdict): void;
  answer(question: string): Promise<Verdict>;
}

/** On a terminal the person in front of it, whose Ctrl-C stops everything; otherwise a script that says what it is. */
export function createPerson(print: Printer, stop: AbortController): DemoPerson {
  const isReal = process.stdin.isTTY && process.stdout.isTTY;
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
  // The terminal is in raw mode while it asks: Ctrl-C comes as a key and not as a signal. Ctrl-D closes it.
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
