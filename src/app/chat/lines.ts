import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** Lines that arrive this soon after each other were pasted. Milliseconds. */
const pastedWithinMs = 40;

/** Terminals that know control sequences then mark the beginning and the end of pasted text. */
const markPastes = "\u001B[?2004h";
const markNoPastes = "\u001B[?2004l";

export interface AskOptions {
  signal?: AbortSignal;
  /** Ignores what was typed before the question was shown. */
  isFresh?: boolean;
}

/** The lines that a person types, or that come from a pipe. */
export interface Lines {
  /**
   * Returns the next line, or several that were pasted together. Undefined at the end of the input, or when the signal
   * aborts first.
   */
  ask(question: string, options?: AskOptions): Promise<string | undefined>;
  /** Drops the line that is being typed, and shows the question again below a notice. */
  askAgain(notice: string): void;
  /** Sets the reaction to Ctrl-C. */
  onInterrupt(act: () => void): void;
  close(): void;
}

/** Opens standard input. One reader for the whole conversation, since a second one would lose lines of a pipe. */
export function openLines({ isTerminal }: { isTerminal: boolean }): Lines {
  const screen = isTerminal ? createEcho() : undefined;
  const canMark = isTerminal && process.stdout.hasColors();
  const reader = createInterface({
    input: process.stdin,
    ...(screen && { output: screen.output }),
    terminal: isTerminal,
  });
  const typed: string[] = [];
  const pasted: string[] = [];
  let isPasting = false;
  let pause: NodeJS.Timeout | undefined;
  let waiting: ((line: string | undefined) => void) | undefined;
  let isOver = false;
  let interrupted: () => void = () => undefined;

  const answer = (line: string | undefined): void => {
    const resolve = waiting;
    waiting = undefined;
    screen?.hide();
    resolve?.(line);
  };
  const take = (line: string): void => {
    if (waiting === undefined) typed.push(line);
    else answer(line);
  };
  /** Drops all that was typed and not taken. */
  const drop = (): void => {
    clearTimeout(pause);
    typed.length = pasted.length = 0;
    clearLine(reader, isTerminal);
  };
  const endPaste = (): void => {
    // The last pasted line waits for Enter, if it had none.
    if (isPasting || reader.line !== "" || pasted.length === 0) return;
    take(pasted.splice(0).join("\n"));
  };
  const endPasteSoon = (): void => {
    clearTimeout(pause);
    pause = setTimeout(endPaste, pastedWithinMs);
  };
  const hear = (line: string): void => {
    if (!isTerminal) return take(line);
    pasted.push(line);
    endPasteSoon();
  };
  const hearKey = (_text: unknown, { name }: { name?: string }): void => {
    if (name !== "paste-start" && name !== "paste-end") return;
    isPasting = name === "paste-start";
    endPasteSoon();
  };
  const interrupt = (): void => interrupted();

  reader.on("line", hear);
  reader.on("SIGINT", interrupt);
  process.on("SIGINT", interrupt);
  reader.once("close", () => {
    isOver = true;
    // The shell's prompt begins a line of its own.
    if (screen !== undefined && waiting !== undefined) process.stdout.write("\n");
    answer(undefined);
  });
  if (screen !== undefined) {
    process.stdin.on("keypress", hearKey);
    if (canMark) process.stdout.write(markPastes);
  }

  return {
    ask: (question, { signal, isFresh = false } = {}) => {
      if (isFresh) drop();
      const next = typed.shift();
      if (next !== undefined) {
        // The line was typed during an answer, when typing is not shown.
        if (screen !== undefined) process.stdout.write(`${question}${next}\n`);
        return Promise.resolve(next);
      }
      if (isOver || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const leave = (): void => {
          drop();
          answer(undefined);
        };
        signal?.addEventListener("abort", leave, { once: true });
        waiting = (line) => {
          signal?.removeEventListener("abort", leave);
          resolve(line);
        };
        if (screen === undefined) return;
        screen.show();
        reader.setPrompt(question);
        reader.prompt(true);
      });
    },
    askAgain: (notice) => {
      drop();
      process.stdout.write(`\n${notice}\n`);
      reader.prompt();
    },
    onInterrupt: (act) => {
      interrupted = act;
    },
    close: () => {
      clearTimeout(pause);
      process.off("SIGINT", interrupt);
      if (screen !== undefined) {
        process.stdin.off("keypress", hearKey);
        if (canMark) process.stdout.write(markNoPastes);
      }
      reader.close();
    },
  };
}

/** Empties the line that is being typed. */
function clearLine(reader: Interface, isTerminal: boolean): void {
  if (!isTerminal || reader.line === "") return;
  reader.write(null, { ctrl: true, name: "e" });
  reader.write(null, { ctrl: true, name: "u" });
}

/**
 * Creates the output of the line editor. It shows typed characters only while a question is asked, so that typing does
 * not end up in an answer.
 */
function createEcho() {
  const { stdout } = process;
  let isShown = false;
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      if (isShown) stdout.write(text);
      done();
    },
  });
  Object.defineProperty(output, "columns", { get: () => stdout.columns });
  stdout.on("resize", () => output.emit("resize"));
  return {
    output,
    show: (): void => void (isShown = true),
    hide: (): void => void (isShown = false),
  };
}
