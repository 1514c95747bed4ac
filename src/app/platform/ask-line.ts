import { createInterface } from "node:readline/promises";

/** Returns whether a person can be asked here: both input and output are a terminal. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Asks a person at the terminal for one line. Returns undefined after Ctrl-C or Ctrl-D. */
export async function askLine(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C or the end of input closes the terminal, and then the question would never resolve.
  const gone = new Promise<undefined>((resolve) =>
    terminal.once("close", () => resolve(undefined)),
  );
  try {
    return await Promise.race([terminal.question(question), gone]);
  } finally {
    terminal.close();
  }
}
