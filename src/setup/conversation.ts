import { type SettingName, settings } from "../config/settings.ts";
import {
  type Capability,
  applies,
  capabilities,
  missing,
  type SetupQuestion,
} from "./capabilities.ts";
import { withSettings } from "./env-text.ts";
import type { Prompter } from "./person.ts";

/** Values as they would stand in the file; an empty one takes the setting out. */
export type Answers = Partial<Record<SettingName, string>>;

/** What came of trying the settings with these answers in them. */
export interface CheckedCapability {
  /** Sentences; none where all is well. */
  problems: readonly string[];
  /** False where no command would start with them. */
  isUsable: boolean;
}

/** The settings as they are at this moment, and what may be done with them. */
export interface SetupPlace {
  /** The file that they are written to. */
  readonly file: string;
  readonly fromFile: Readonly<Record<string, string | undefined>>;
  /** Of the process's environment: it goes before the file, and nothing here can change it. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** False where the file's line is of a kind that only a person can change. */
  canChange(name: SettingName): boolean;
  /** Tries the connection of a capability as if these answers stood in the file. */
  attempt(answers: Answers, connection: string): Promise<CheckedCapability>;
  write(answers: Answers): void;
}

/** The value that holds now, its default included; empty where there is none. */
function valueAt({ given, fromFile }: SetupPlace, name: SettingName): string {
  return given[name] ?? fromFile[name] ?? settings[name].default ?? "";
}

/** What can be set up, and what each lacks. */
export function stateOf(place: SetupPlace) {
  return capabilities.map((capability) => ({
    capability,
    lacks: missing(capability, (name) => valueAt(place, name)),
  }));
}

/** What is asked for is written capability by capability: what was said to be written is, whenever the person leaves. */
export async function setUp(person: Prompter, place: SetupPlace): Promise<void> {
  const chosen = await person.multiselect(
    "What shall be set up? (Space chooses, Enter goes on)",
    stateOf(place).map(({ capability, lacks }) => ({
      value: capability,
      label: `${capability.title}${lacks.length === 0 ? " - is set up" : ""}`,
    })),
  );
  // A mailbox and a bucket ask the same about whose mail counts: once is enough.
  const known: Answers = {};
  if (chosen.length === 0) person.info("Nothing was chosen, and nothing was written.");
  for (const capability of chosen) {
    person.info(capability.title);
    await setUpOne(capability, { person, place, known });
  }
}

interface Asking {
  person: Prompter;
  place: SetupPlace;
  known: Answers;
}

async function setUpOne(capability: Capability, given: Asking): Promise<void> {
  const { person, place, known } = given;
  const { title, connection } = capability;
  const fixed = capability.questions.filter(({ name }) => !place.canChange(name));
  if (fixed.length > 0) {
    const names = fixed.map(({ name }) => name).join(", ");
    person.warn(`${place.file} has ${names} in a way that only you can change. Nothing was asked.`);
    return;
  }
  let answers: Answers = {};
  for (;;) {
    answers = await askAll(capability, answers, given);
    person.info("Trying it ...");
    const changes = changesOf(answers, place);
    const { problems, isUsable } = await place.attempt(changes, connection);
    for (const problem of problems) person.warn(problem);
    const next = problems.length === 0 ? "write" : await whatNext(person, isUsable);
    if (next === "leave") {
      person.info(`${title}: nothing was written.`);
      return;
    }
    if (next === "write") {
      place.write(changes);
      Object.assign(known, answers);
      const verdict = problems.length === 0 ? "It works. " : "";
      person.success(`${verdict}Written to ${place.file}.`);
      return;
    }
  }
}

function whatNext(person: Prompter, isUsable: boolean): Promise<"again" | "write" | "leave"> {
  return person.chooseOne("What now?", [
    { value: "again", label: "Enter it again" },
    ...(isUsable ? [{ value: "write" as const, label: "Write it as it is" }] : []),
    { value: "leave", label: "Leave it as it was" },
  ]);
}

/** `before`: what was answered the last time, which did not work. */
async function askAll(
  { questions }: Capability,
  before: Answers,
  { person, place, known }: Asking,
): Promise<Answers> {
  const answers: Answers = {};
  const value = (name: SettingName): string => answers[name] ?? valueAt(place, name);
  for (const question of questions) {
    const { name } = question;
    if (known[name] !== undefined || !applies(question, value)) continue;
    if (place.given[name] !== undefined) {
      person.info(`${name} stands in the environment, which goes before the file.`);
      continue;
    }
    const current = before[name] ?? place.fromFile[name] ?? "";
    answers[name] = await ask(question, current, person);
  }
  return answers;
}

/** A default is not written: a later version may have a better one. */
function changesOf(answers: Answers, { fromFile }: SetupPlace): Answers {
  const isNew = ([name, answer]: [string, string]): boolean =>
    answer !== (fromFile[name] ?? settings[name as SettingName].default ?? "");
  return Object.fromEntries(Object.entries(answers).filter(isNew));
}

async function ask(
  { name, setting, isNeeded }: SetupQuestion,
  current: string,
  person: Prompter,
): Promise<string> {
  const { choices, default: initial, defaultText: initially, isSecret } = setting;
  const meaning = setting.description.replaceAll("`", "");
  const objection = (answer: string): string | undefined => {
    const given = answer === "" ? (initial ?? "") : answer;
    if (given === "") return isNeeded && current === "" ? `${name} is needed.` : undefined;
    if (withSettings("", { [name]: answer }) === undefined)
      return `${name} has signs that no such file can hold together: set it in the environment.`;
    const read = setting.schema.safeParse(given);
    return read.success ? undefined : `${name} ${read.error.issues[0]?.message ?? "is wrong"}.`;
  };
  if (isSecret === true) {
    const kept = current === "" ? "" : " (empty: the one that is set stays)";
    const answer = await person.writeSecret(`${name}: ${meaning}${kept}`, objection);
    return answer === "" ? current : answer;
  }
  if (choices !== undefined) {
    const options = choices.map((value) => ({ value, label: value }));
    return await person.chooseOne(`${name}: ${meaning}`, options, current || initial);
  }
  const mayBeEmpty = !isNeeded && initial === undefined;
  const empty = mayBeEmpty ? ` (empty: ${(initially ?? "none").replaceAll("`", "")})` : "";
  return await person.write(`${name}: ${meaning}${empty}`, current || (initial ?? ""), objection);
}
