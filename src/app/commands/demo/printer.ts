/** How the story is told on a terminal, in a pipe and in a log: the same words, colour only where it can be seen. */
export interface Printer {
  /** A heading that is not part of the count. */
  title(text: string): void;
  /** The heading of a numbered step. */
  step(title: string): void;
  /** Sentences of the story. */
  say(...lines: readonly string[]): void;
  /** What the assistant calls. */
  call(tool: string, args: Readonly<Record<string, unknown>>): void;
  /** What a program or a person sees, word for word. */
  quote(text: string): void;
  /** What was read back and found true. */
  checked(sentence: string): void;
  /** What is said after this is not heard: a story that was stopped may still be at its next word. */
  end(): void;
}

/** Columns that a terminal has at least, less the margin. */
const columns = 80;

export function createPrinter(out: NodeJS.WriteStream = process.stdout): Printer {
  // Knows NO_COLOR, and that a file has no colours.
  const hasColor = out.isTTY && out.getColorDepth() > 1;
  const styled =
    (code: number) =>
    (text: string): string =>
      hasColor ? `\u001B[${code}m${text}\u001B[0m` : text;
  const [bold, dim, green, cyan] = [styled(1), styled(2), styled(32), styled(36)];
  let steps = 0;
  let isOver = false;
  const line = (text = ""): void => {
    if (!isOver) out.write(`${text}\n`);
  };
  return {
    title: (text) => line(bold(text)),
    step: (title) => {
      steps += 1;
      line();
      line(bold(`${steps}  ${title}`));
    },
    say: (...lines) => {
      for (const text of lines) line(text === "" ? "" : `   ${text}`);
    },
    call: (tool, args) => {
      const shown = Object.entries(args).map(
        ([name, value]) => `${name}: ${JSON.stringify(value)}`,
      );
      line();
      line(`   ${cyan("assistant calls")} ${bold(tool)} ${shown.join(", ")}`.trimEnd());
    },
    quote: (text) => {
      const lines = text.trimEnd().split("\n");
      for (const part of lines.flatMap(wrapped)) line(`   ${dim("|")} ${part}`.trimEnd());
    },
    checked: (sentence) => line(`   ${green("checked:")} ${sentence}`),
    end: () => {
      isOver = true;
    },
  };
}

/** Between words; a word that is longer than a line stays whole. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(" ", columns);
    if (at <= 0) break;
    lines.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}
