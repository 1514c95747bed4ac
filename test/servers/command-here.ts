import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";
import { homedir } from "node:os";
import { Readable, Writable } from "node:stream";
import { runCommandLine } from "../../src/app/command-line/run-command-line.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Commands that need a process of their own: for signals, for hooks at its end, or because they run until they are stopped. */
const processCommands = new Set(["attack", "demo", "ingest", "init", "serve", "service"]);

/** Words that need signals, or state of the process that a later command would find. */
const processWords = new Set(["--env-file", "--watch", "open"]);

/** Variables that apply to the whole process, because Node or a module reads them itself or once. */
const processVariables =
  /^(?:NODE_|UV_|SSL_|OPENSSL_|LD_|LC_|LANG|ICU_|HOME$|TMP|TEMP$|TZ$|DEBUG$|LOG_LEVEL$|\w+_PROXY$)/i;

/** Returns a variable of this environment that needs a process of its own. */
export function processVariableIn(env: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(env).find(
    ([name, value]) =>
      processVariables.test(name) && value !== "" && !(name === "HOME" && value === homedir()),
  );
  return found?.join("=");
}

/** The environment, input and output of one command. */
interface Surroundings {
  env: NodeJS.ProcessEnv;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  console: Console;
  exit: (code?: number) => never;
}

const surroundings = new AsyncLocalStorage<Surroundings>();
let running = 0;

/**
 * Runs one command of the program in this process, which takes a fraction of the time.
 * Everything that the command starts has its own environment, input and output, and other code of this process has none
 * of it, so commands and tests may run at the same time. Fails if the command needs a process of its own.
 */
export async function commandHere(
  args: readonly string[],
  { env, input = "" }: { env: Readonly<Record<string, string>>; input?: string },
): Promise<Ended> {
  refuse(args, env);
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  // Thrown errors would be explained to a person, as any other error of a command.
  const refused: unknown[] = [];
  const refuseHere = (what: string): never => {
    try {
      return unlikeProcess(what);
    } catch (error) {
      refused.push(error);
      throw error;
    }
  };
  const stdout = collect((text) => (ended.stdout += text));
  const stderr = collect((text) => (ended.stderr += text));
  const own: Surroundings = {
    env: new Proxy(
      { ...env },
      {
        set: (_, name) => refuseHere(`another value of ${String(name)}`),
        // Libraries delete what is not set, when they are loaded.
        deleteProperty: (all, name) =>
          !Object.hasOwn(all, name) || refuseHere(`no ${String(name)}`),
      },
    ),
    stdin: Readable.from(input === "" ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout,
    stderr,
    console: new Console({ stdout, stderr }),
    exit: () => refuseHere("process.exit"),
  };
  // The program hides the same (`hideLibraryOutput`).
  own.console.warn = own.console.info = own.console.debug = () => undefined;
  const restore = running++ === 0 ? replaceGlobals() : undefined;
  if (restore !== undefined) restoreGlobals = restore;
  try {
    ended.code = await surroundings.run(own, () => runCommandLine(args));
    if (refused.length > 0) throw refused[0];
    return ended;
  } finally {
    if (--running === 0) restoreGlobals();
  }
}

let restoreGlobals = (): void => undefined;

/** Lets everything that belongs to a command see the command's surroundings, until the returned function is called. */
function replaceGlobals(): () => void {
  const places: [object, string, keyof Surroundings][] = [
    [process, "env", "env"],
    [process, "stdin", "stdin"],
    [process, "stdout", "stdout"],
    [process, "stderr", "stderr"],
    [process, "exit", "exit"],
    [globalThis, "console", "console"],
  ];
  const umask = process.umask(0o077);
  const undo = places.map(([owner, name, own]) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    if (before === undefined) throw new Error(`Node has no own property ${name}.`);
    // Vitest replaces `console` from time to time.
    let usual: { value: unknown } | undefined;
    const outside = (): unknown =>
      usual === undefined ? (before.get?.call(owner) ?? before.value) : usual.value;
    Object.defineProperty(owner, name, {
      configurable: true,
      enumerable: before.enumerable ?? false,
      get: () => surroundings.getStore()?.[own] ?? outside(),
      set: (value: unknown) => {
        if (surroundings.getStore() !== undefined) unlikeProcess(`another ${name}`);
        usual = { value };
      },
    });
    return () => {
      Object.defineProperty(owner, name, before);
      if (usual !== undefined) Reflect.set(owner, name, usual.value);
    };
  });
  return () => {
    process.umask(umask);
    for (const one of undo) one();
  };
}

function refuse(
  [name = "", ...rest]: readonly string[],
  env: Readonly<Record<string, string>>,
): void {
  if (rest.includes("--help") || rest.includes("-h") || name === "help") return;
  if (name === "" || name.startsWith("-") || processCommands.has(name))
    unlikeProcess(name === "" ? "no name" : `the name ${name}`);
  for (const word of rest) if (processWords.has(word)) unlikeProcess(word);
  const variable = processVariableIn(env);
  if (variable !== undefined) unlikeProcess(variable);
}

function unlikeProcess(what: string): never {
  throw new Error(`A command with ${what} needs a process of its own: use runProgram.`);
}

function collect(add: (text: string) => void): Writable {
  const decoder = new TextDecoder();
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      add(decoder.decode(chunk, { stream: true }));
      done();
    },
  });
}
