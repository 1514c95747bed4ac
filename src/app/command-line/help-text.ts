import { type Command, type CommandForm, labelOf } from "./define-command.ts";

/** Columns of a help text. */
const width = 100;

/** Options of many commands. They come after a command's own. */
const common = ["secretStdin", "json", "envFile"];

/**
 * Returns what `countersign NAME --help` prints.
 * @param program as a person can type it
 */
export function helpText(
  name: string,
  { about, forms, exitCodes, initial }: Command,
  program = "countersign",
): string {
  const named = forms.flatMap((form) =>
    form.name === undefined || form.help === undefined
      ? []
      : [[form.name, form.name === initial ? `${form.help} (the default)` : form.help] as const],
  );
  const all = forms.flatMap((form) => Object.entries(form.options));
  const ownFirst = all.toSorted(([one], [other]) => common.indexOf(one) - common.indexOf(other));
  const explained = forms.flatMap((form) =>
    Object.values(form.arguments).flatMap(({ name: label, help }) =>
      help === undefined ? [] : [[label, help] as const],
    ),
  );
  const options = new Map(ownFirst.map(([option, said]) => [labelOf(option, said), said.help]));
  options.set("-h, --help", "print this text");
  const column = 2 + Math.max(...[...named.map(([label]) => label), ...options.keys()].map(length));
  const codes = Object.entries({ ...exitCodes, 2: "the command line is wrong" });
  return [
    usage(`${program} ${name}`, forms),
    wrap(about, 0),
    ...(named.length > 0 ? [rows(named, column)] : []),
    rows([...explained, ...options], column),
    `Exit codes:\n${rows(codes, column)}`,
  ].join("\n\n");
}

/** Formats names and their meanings in two columns. */
export function rows(all: readonly (readonly [string, string])[], column: number): string {
  return all
    .map(([label, help]) => `  ${label.padEnd(column)}${wrap(help, column + 2).trimStart()}`)
    .join("\n");
}

/** Returns the usage, with one line for forms that are typed alike. */
function usage(call: string, forms: readonly CommandForm[]): string {
  const lines = new Map<string, string[]>();
  for (const form of forms) {
    const rest = callOf(form);
    lines.set(rest, [...(lines.get(rest) ?? []), ...(form.name === undefined ? [] : [form.name])]);
  }
  const calls = [...lines].map(([rest, names]) =>
    [call, names.join("|"), rest].filter((word) => word !== "").join(" "),
  );
  return calls.map((call, index) => (index === 0 ? "Usage: " : "       ") + call).join("\n");
}

function callOf({ arguments: args, options }: CommandForm): string {
  const shown = Object.entries(options).filter(([name]) => name !== "envFile");
  return [
    ...Object.values(args).map(({ label }) => label),
    ...shown.map(([name, option]) =>
      option.isRequired === true
        ? labelOf(name, option)
        : `[${labelOf(name, option)}]${option.isRepeated === true ? "..." : ""}`,
    ),
  ].join(" ");
}

const length = (label: string): number => label.length;

/** Breaks text into lines that begin at a column. Keeps its line breaks. */
function wrap(text: string, column: number): string {
  const indent = " ".repeat(column);
  return text
    .split("\n")
    .map((paragraph) => {
      const lines = [""];
      for (const word of paragraph.split(" ")) {
        const last = lines.at(-1) ?? "";
        if (last !== "" && column + last.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
      }
      return lines.map((line) => (line === "" ? "" : indent + line)).join("\n");
    })
    .join("\n");
}
