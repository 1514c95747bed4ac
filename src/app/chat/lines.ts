import { createInterface } from "node:readline";

/** The lines that a person types, or that come from a pipe. */
export interface Lines {
  /**
   * Returns the next line. Undefined at the end of the input, or when the signal aborts first.
   * @param options.isFresh ignores lines that were typed before the question was shown
   */
  ask(
    question: string,
    options?: { signal?: AbortSignal; isFresh?: boolean },
  ): Promise<string | undefined>;
  /** Sets the reaction to Ctrl-C. */
  onInterrupt(act: () => void): void;
  close(): void;
}

/** Opens standard input. One reader for the whole conversation, since a second one would lose lines of a pipe. */
export function openLines({ isTerminal }: { isTerminal: boolean }): Lines {
  const terminal = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: process.stdout }),
    terminal: isTerminal,
  });
  const typed: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let isOver = false;
  let interrupted: () => void = () => undefined;
  const answer = (line: string | undefined): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  };
  const interrupt = (): void => interrupted();
  terminal.on("line", (line) => (waiting === undefined ? typed.push(line) : answer(line)));
  terminal.on("SIGINT", interrupt);
  process.on("SIGINT", interrupt);
  terminal.once("close", () => {
    isOver = true;
    answer(undefined);
  });

  return {
    ask: (question, { signal, isFresh = false } = {}) => {
      if (isFresh) typed.length = 0;
      const next = typed.shift();
      if (next !== undefined) return Promise.resolve(next);
      if (isOver || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const leave = (): void => answer(undefined);
        signal?.addEventListener("abort", leave, { once: true });
        waiting = (line) => {
          signal?.removeEventListener("abort", leave);
          resolve(line);
        };
        if (!isTerminal) return;
        terminal.setPrompt(question);
        terminal.prompt();
      });
    },
    onInterrupt: (act) => {
      interrupted = act;
    },
    close: () => {
      process.off("SIGINT", interrupt);
      terminal.close();
    },
  };
}
