/** Prints the steps of the demo. The words are the same in a terminal, in a pipe and in a log. Colours need a terminal. */
export interface Printer {
  /** A heading outside of the numbering. */
  title(text: string): void;
  /** The heading of a numbered step. */
  step(title: string): void;
  /** Sentences about a step. */
  say(...lines: readonly string[]): void;
  /** A call by the assistant. */
  call(tool: string, args: Readonly<Record<string, unknown>>): void;
  /** Text that a program or a person sees, word for word. */
  quote(text: string): void;
  /** A fact that was read back and confirmed. */
  checked(sentence: string): void;
  /** Ignores everything printed later, because a stopped demo may still print. */
  end(): void;
}

/** Columns of the narrowest terminal, without the margin. */
const columns = 80;

export function createPrinter(): Printer {
  const out = process.stdout;
  // Respects NO_COLOR. Files have no colours.
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

/** Wraps between words. A word longer than a line stays whole. */
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
