import { parseArgs } from "node:util";
import { nearestName } from "../../core/shared/text/nearest-name.ts";
import { type Command, type CommandForm, labelOf, optionLabel } from "./define-command.ts";
import { UsageError } from "./options.ts";

/** The words of a command line before they are matched with a form. */
interface Typed {
  words: readonly string[];
  options: readonly { label: string; value: string | undefined; isInline: boolean }[];
}

type Parsed = "help" | { run: () => Promise<number> };

/**
 * Parses a command line by the command's declaration.
 * @throws UsageError
 */
export function parseCommandLine(name: string, command: Command, argv: readonly string[]): Parsed {
  const typed = typedIn(command, argv);
  if (typed.options.some(({ label }) => label === "--help" || label === "-h")) return "help";
  const known = command.forms.flatMap(labelsOf);
  for (const { label } of typed.options) {
    if (!known.includes(label))
      throw unknownWord(
        `"countersign ${name}" has no option ${label}.`,
        name,
        nearestName(label, known),
      );
  }
  const { form, words } = formOf(name, command, typed.words);
  const call = ["countersign", name, ...(form.name === undefined ? [] : [form.name])].join(" ");
  const options = readOptions(call, form, command, typed);
  const args = readArguments(call, form, words);
  return { run: () => form.run(options, args) };
}

function typedIn(command: Command, argv: readonly string[]): Typed {
  const kinds = command.forms.flatMap((form) =>
    Object.entries(form.options).map(([name, { placeholder }]) => {
      const type = placeholder === undefined ? ("boolean" as const) : ("string" as const);
      return [optionLabel(name).slice(2), { type }] as const;
    }),
  );
  const options = {
    ...Object.fromEntries(kinds),
    help: { type: "boolean" as const, short: "h" },
  };
  // Not strict, because our own messages are clearer than Node's.
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return {
    words: tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : [])),
    options: tokens.flatMap((token) =>
      token.kind === "option"
        ? [{ label: token.rawName, value: token.value, isInline: token.inlineValue === true }]
        : [],
    ),
  };
}

function formOf(
  name: string,
  { forms, initial }: Command,
  words: readonly string[],
): { form: CommandForm; words: readonly string[] } {
  const [first, ...rest] = words;
  const byName = (wanted: string | undefined): CommandForm | undefined =>
    forms.find((form) => form.name === wanted);
  const named = first === undefined ? undefined : byName(first);
  if (named !== undefined) return { form: named, words: rest };
  const own = byName(undefined);
  if (own !== undefined) return { form: own, words };
  const defaultForm = initial === undefined || first !== undefined ? undefined : byName(initial);
  if (defaultForm !== undefined) return { form: defaultForm, words };
  const names = forms.flatMap((form) => (form.name === undefined ? [] : [form.name]));
  if (first === undefined)
    throw new UsageError(`"countersign ${name}" needs one of ${names.join(", ")}.`);
  const message = `"countersign ${name}" has no subcommand "${first}".`;
  throw unknownWord(message, name, nearestName(first, names));
}

function unknownWord(message: string, name: string, near: string | undefined): UsageError {
  return near === undefined
    ? new UsageError(message, { run: `${name} --help` })
    : new UsageError(`${message} Did you mean ${near}?`);
}

function readOptions(
  call: string,
  form: CommandForm,
  command: Command,
  typed: Typed,
): Readonly<Record<string, unknown>> {
  const labels = new Map(Object.keys(form.options).map((name) => [optionLabel(name), name]));
  const given = new Map<string, string[]>();
  for (const { label, value, isInline } of typed.options) {
    const name = labels.get(label);
    if (name === undefined) {
      const others = command.forms.filter((other) => labelsOf(other).includes(label));
      const names = others.map((other) => other.name ?? "").join(", ");
      throw new UsageError(`"${call}" has no option ${label}. It belongs to: ${names}.`);
    }
    const values = given.get(name) ?? [];
    given.set(name, values);
    const placeholder = form.options[name]?.placeholder;
    if (placeholder === undefined) {
      if (isInline) throw new UsageError(`${label} takes no value, but got "${value ?? ""}".`);
      values.push("");
    } else if (value === undefined) {
      throw new UsageError(`${label} needs a value: ${label} ${placeholder}.`);
    } else if (!isInline && /^-./.test(value)) {
      throw new UsageError(
        `${label} needs a value, but "${value}" follows. A value that begins with a dash is written ${label}=VALUE.`,
      );
    } else values.push(value);
  }
  for (const [one, other] of form.conflicts) {
    if (given.has(one) && given.has(other))
      throw new UsageError(
        `${optionLabel(one)} and ${optionLabel(other)} cannot be given together.`,
      );
  }
  for (const [one, other] of Object.entries(form.needs)) {
    if (other !== undefined && given.has(one) && !given.has(other))
      throw new UsageError(`${optionLabel(one)} works only with ${optionLabel(other)}.`, {
        run: `${call.replace(/^\S+ /, "")} ${optionLabel(other)}`,
      });
  }
  return Object.fromEntries(
    Object.entries(form.options).map(([name, option]) => {
      const value = option.read(given.get(name) ?? [], optionLabel(name));
      if (option.isRequired === true && !given.has(name))
        throw new UsageError(`"${call}" needs ${labelOf(name, option)}.`, helpOf(call));
      return [name, value];
    }),
  );
}

const labelsOf = ({ options }: CommandForm): readonly string[] =>
  Object.keys(options).map(optionLabel);

function readArguments(
  call: string,
  form: CommandForm,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const left = [...words];
  const read = Object.entries(form.arguments).map(([name, argument]) => {
    const own = left.splice(0, argument.most);
    if (own.length < argument.least)
      throw new UsageError(`"${call}" needs ${argument.name}.`, helpOf(call));
    return [name, argument.read(own)] as const;
  });
  const [tooMany] = left;
  if (tooMany !== undefined)
    throw new UsageError(`"${call}" takes no argument "${tooMany}" here.`, helpOf(call));
  return Object.fromEntries(read);
}

const helpOf = (call: string) => ({ run: `${call.split(" ")[1]} --help` });
