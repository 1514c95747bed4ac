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

/** Values as written in the file. An empty one removes the setting. */
export type Answers = Partial<Record<SettingName, string>>;

/** The result of testing the settings with these answers. */
export interface CheckedCapability {
  /** Sentences about problems. */
  problems: readonly string[];
  /** False if every command would refuse these settings. */
  isUsable: boolean;
}

/** The current settings. */
interface SettingTexts {
  readonly fromFile: Readonly<Record<string, string | undefined>>;
  /** The process environment, which overrides the file and cannot be changed here. */
  readonly given: Readonly<Record<string, string | undefined>>;
}

/** The settings, and what may be done with them. */
export interface SetupPlace extends SettingTexts {
  /** The file that they are written to. */
  readonly file: string;
  /** Returns false if the file's line has a form that only a person can change. */
  canChange(name: SettingName): boolean;
  /** Tests the connection of a capability as if these answers were in the file. */
  attempt(answers: Answers, connection: string): Promise<CheckedCapability>;
  write(answers: Answers): void;
}

/** Returns the current value, including a default, or an empty text. */
function valueAt({ given, fromFile }: SettingTexts, name: SettingName): string {
  return given[name] ?? fromFile[name] ?? settings[name].default ?? "";
}

/** Returns the capabilities, with the settings that each one still needs. */
export function stateOf(place: SettingTexts) {
  return capabilities.map((capability) => ({
    capability,
    lacks: missing(capability, (name) => valueAt(place, name)),
  }));
}

/**
 * Asks for capabilities and writes each one when it is complete, so that a reported change is saved even after
 * cancelling.
 */
export async function setUp(person: Prompter, place: SetupPlace): Promise<void> {
  const chosen = await person.multiselect(
    "What do you want to set up? (Space to select, Enter to continue)",
    stateOf(place).map(({ capability, lacks }) => ({
      value: capability,
      label: `${capability.title}${lacks.length === 0 ? " - is set up" : ""}`,
    })),
  );
  // A mailbox and a bucket both ask for the accepted senders. The second one reuses the answer.
  const known: Answers = {};
  if (chosen.length === 0) person.info("No option was selected. Nothing was written.");
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
    person.warn(
      `${names} in ${place.file} uses syntax that init cannot edit. Edit the file by hand.`,
    );
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
    ...(isUsable ? [{ value: "write" as const, label: "Write it anyway" }] : []),
    { value: "leave", label: "Discard the changes" },
  ]);
}

/**
 * Asks for all settings of a capability.
 * @param before the previous answers, which did not work
 */
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
      person.info(`${name} is set in the environment, which overrides the file.`);
      continue;
    }
    const current = before[name] ?? place.fromFile[name] ?? "";
    answers[name] = await ask(question, current, person);
  }
  return answers;
}

/** Returns the answers to write. A default is left out, because a later version may have a better one. */
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
  const { choices, default: initial, defaultText, isSecret } = setting;
  const meaning = setting.description.replaceAll("`", "");
  const objection = (answer: string): string | undefined => {
    const given = answer === "" ? (initial ?? "") : answer;
    if (given === "") return isNeeded && current === "" ? `${name} is needed.` : undefined;
    if (withSettings("", { [name]: answer }) === undefined)
      return `${name} contains characters that a .env file cannot represent. Set it in the environment.`;
    const read = setting.schema.safeParse(given);
    return read.success ? undefined : `${name} ${read.error.issues[0]?.message ?? "is wrong"}.`;
  };
  if (isSecret === true) {
    const kept = current === "" ? "" : " (leave empty to keep the current value)";
    const answer = await person.writeSecret(`${name}: ${meaning}${kept}`, objection);
    return answer === "" ? current : answer;
  }
  if (choices !== undefined) {
    const options = choices.map((value) => ({ value, label: value }));
    return await person.chooseOne(`${name}: ${meaning}`, options, current || initial);
  }
  const mayBeEmpty = !isNeeded && initial === undefined;
  const empty = mayBeEmpty ? ` (empty: ${(defaultText ?? "none").replaceAll("`", "")})` : "";
  return await person.write(`${name}: ${meaning}${empty}`, current || (initial ?? ""), objection);
}
