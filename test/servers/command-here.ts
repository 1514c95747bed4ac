import { AsyncLocalStorage } from "node:async_hooks";
import { Console } from "node:console";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { PassThrough, Readable, Writable } from "node:stream";
import tls, { type SecureContextOptions } from "node:tls";
import { runCommandLine } from "../../src/app/command-line/run-command-line.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Commands that need a process of their own, for hooks at its end. */
const processCommands = new Set(["attack", "demo", "init", "service"]);

/** Variables that apply to the whole process, because Node or a module reads them itself or once. */
const processVariables =
  /^(?:NODE_(?!EXTRA_CA_CERTS$)|UV_|SSL_|OPENSSL_|LD_|LC_|LANG|ICU_|HOME$|TMP|TEMP$|TZ$|DEBUG$|LOG_LEVEL$|\w+_PROXY$)/i;

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
  /** Registers for a signal, which only `RunningHere.stop` sends. */
  once: (name: string, listener: () => void) => NodeJS.Process;
}

const surroundings = new AsyncLocalStorage<Surroundings>();
let running = 0;

/**
 * Runs one command of the program to its end in this process, which takes a fraction of the time.
 * Everything that the command starts has its own environment, input and output, and other code of this process has none
 * of it, so commands and tests may run at the same time. Fails if the command needs a process of its own.
 */
export async function commandHere(
  args: readonly string[],
  { env, input = "" }: { env: Readonly<Record<string, string>>; input?: string },
): Promise<Ended> {
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)], { objectMode: false });
  return await start(args, env, stdin).ended;
}

/** A command in this process that can be stopped: `serve` and `ingest`, for example. */
export interface RunningHere {
  /** The output until now. */
  said: Omit<Ended, "code">;
  /** Resolves when it has ended. */
  ended: Promise<Ended>;
  /** Sends text to its standard input. */
  write(text: string): void;
  /** Ends its standard input, as a client does that disconnects. */
  hangUp(): void;
  /** Does what a signal of a service manager does, once: a second signal ends a process immediately. */
  stop(): void;
}

/**
 * Starts a command in this process that runs until it is stopped, under the conditions of `commandHere`.
 * @param hear receives what it prints, piece by piece
 */
export function startHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  hear: (stream: "stdout" | "stderr", text: string) => void = () => undefined,
): RunningHere {
  const stdin = new PassThrough();
  const { own, said, signals, ended } = start(args, env, stdin, hear);
  let isStopped = false;
  return {
    said,
    ended,
    write: (text) => void surroundings.run(own, () => stdin.write(text)),
    hangUp: () => void surroundings.run(own, () => stdin.end()),
    stop: () => {
      if (!isStopped) surroundings.run(own, () => signals.emit("SIGTERM"));
      isStopped = true;
    },
  };
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: Readable,
  hear: (stream: "stdout" | "stderr", text: string) => void = () => undefined,
): { own: Surroundings; said: Ended; signals: EventEmitter; ended: Promise<Ended> } {
  refuse(args, env);
  const said: Ended = { code: null, stdout: "", stderr: "" };
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
  const collectAs = (stream: "stdout" | "stderr"): Writable =>
    collect((text) => {
      said[stream] += text;
      // The test that hears it is outside.
      surroundings.exit(() => hear(stream, text));
    });
  const [stdout, stderr] = [collectAs("stdout"), collectAs("stderr")];
  const signals = new EventEmitter();
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
    stdin,
    stdout,
    stderr,
    console: new Console({ stdout, stderr }),
    exit: () => refuseHere("process.exit"),
    once: (name, listener) => {
      if (!name.startsWith("SIG")) refuseHere(`a listener for ${name}`);
      signals.once(name, listener);
      return process;
    },
  };
  // The program hides the same (`hideLibraryOutput`).
  own.console.warn = own.console.info = own.console.debug = () => undefined;
  const restore = running++ === 0 ? replaceGlobals() : undefined;
  if (restore !== undefined) restoreGlobals = restore;
  const run = async (): Promise<Ended> => {
    try {
      said.code = await surroundings.run(own, () => runCommandLine(args));
      if (refused.length > 0) throw refused[0];
      return said;
    } finally {
      if (--running === 0) restoreGlobals();
    }
  };
  return { own, said, signals, ended: run() };
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
    [process, "once", "once"],
    [globalThis, "console", "console"],
  ];
  const umask = process.umask(0o077);
  const { createSecureContext } = tls;
  tls.createSecureContext = (options) => trusting(createSecureContext(options), options);
  const undo = places.map(([owner, name, own]) => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const inherited: unknown = before === undefined ? Reflect.get(owner, name) : undefined;
    // Vitest replaces `console` from time to time.
    let usual: { value: unknown } | undefined;
    const outside = (): unknown =>
      usual === undefined ? (before?.get?.call(owner) ?? before?.value ?? inherited) : usual.value;
    Object.defineProperty(owner, name, {
      configurable: true,
      enumerable: before?.enumerable ?? false,
      get: () => surroundings.getStore()?.[own] ?? outside(),
      set: (value: unknown) => {
        if (surroundings.getStore() !== undefined) unlikeProcess(`another ${name}`);
        usual = { value };
      },
    });
    return () => {
      if (before === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, before);
      if (usual !== undefined) Reflect.set(owner, name, usual.value);
    };
  });
  return () => {
    process.umask(umask);
    tls.createSecureContext = createSecureContext;
    for (const one of undo) one();
  };
}

/** Adds the certificates that Node reads once, when a process starts. */
function trusting(made: tls.SecureContext, options: SecureContextOptions = {}): tls.SecureContext {
  const path = surroundings.getStore()?.env["NODE_EXTRA_CA_CERTS"];
  if (path !== undefined && path !== "" && options.ca === undefined) {
    const context = made.context as { addCACert(pem: Buffer): void };
    context.addCACert(readFileSync(path));
  }
  return made;
}

function refuse(
  [name = "", ...rest]: readonly string[],
  env: Readonly<Record<string, string>>,
): void {
  if (rest.includes("--help") || rest.includes("-h") || name === "help") return;
  if (name === "" || name.startsWith("-") || processCommands.has(name))
    unlikeProcess(name === "" ? "no name" : `the name ${name}`);
  // A later command would find its file.
  if (rest.includes("--env-file")) unlikeProcess("--env-file");
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
