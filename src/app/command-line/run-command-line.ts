import { helpText } from "./help-text.ts";
import { UsageError } from "./options.ts";
import { overview } from "./overview.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { cancelledCode } from "./define-command.ts";
import { commands } from "../commands.ts";
import { systemCode } from "../platform/safe-file.ts";
import { requestStop } from "../platform/stop-signal.ts";
import { version } from "../platform/version.ts";
import type { ErrorKind } from "../../core/tool/tool-error.ts";
import { nearestName } from "../../core/shared/text/nearest-name.ts";

/**
 * Runs what a person or a client typed after the program's name, and returns the exit code. Errors are explained on
 * stderr.
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    const code = await obey(argv);
    return output === "lost" ? 1 : code;
  } catch (error) {
    if (output === "unread" && systemCode(error) === "EPIPE") return 0;
    console.error(await explain(error));
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  const kind: ErrorKind = "cancelled";
  return error instanceof Error && "kind" in error && error.kind === kind ? cancelledCode : 1;
}

/**
 * Explains an error in a sentence, and says what to do next. Only a programmer needs its stack, which `LOG_LEVEL=debug`
 * prints.
 */
async function explain(error: unknown): Promise<string> {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError)
    return error.run === undefined
      ? error.message
      : `${error.message} Run: ${await program()} ${error.run}`;
  const known = ["ConfigError", "ToolError", "PolicyFileError", "ServersFileError"];
  if (known.includes(error.name)) {
    const hint = "hint" in error && typeof error.hint === "string" ? [error.hint] : [];
    return [error.message, ...hint].join(" ");
  }
  const { isDebugging } = await import("../platform/settings.ts");
  if (isDebugging() && error.stack !== undefined) return error.stack;
  const { explainSystemError } = await import("./explain-system-error.ts");
  return (
    explainSystemError(error) ??
    `countersign stopped: ${error.message} (LOG_LEVEL=debug shows details)`
  );
}

/** Returns this program as a person can type it. Imported late, because it reads the settings' declarations. */
async function program(): Promise<string> {
  const { ownProgram } = await import("../platform/own-command.ts");
  return ownProgram();
}

/** `unread`: the reader ended early. `lost`: the output could not be written, for example on a full disk. */
let output: "open" | "unread" | "lost" = "open";

/**
 * Stops a command whose output cannot be written: a reader such as `| head` may close it early. Nothing calls
 * `process.exit`, because the database driver aborts the process with a stack trace if that interrupts a statement.
 */
function endWithoutOutput({ code }: NodeJS.ErrnoException): void {
  requestStop();
  if (output !== "open") return;
  output = code === "EPIPE" ? "unread" : "lost";
  if (output === "unread") return;
  console.error(`The output could not be written (${code}).`);
  // The command may have returned already.
  process.exitCode = 1;
}

async function run(name: string, argv: readonly string[]): Promise<number> {
  const row = commands.find((known) => known.name === name);
  if (row === undefined) {
    const near = nearestName(
      name,
      commands.map((known) => known.name),
    );
    const none = `There is no command "${name}".`;
    throw near === undefined
      ? new UsageError(none, { run: "--help" })
      : new UsageError(`${none} Did you mean ${near}?`);
  }
  // `serve` handles that itself.
  if (name !== "serve") process.stdout.off("error", endWithoutOutput).on("error", endWithoutOutput);
  const { command } = await row.load();
  const parsed = parseCommandLine(name, command, argv);
  if (parsed !== "help") return await parsed.run();
  console.log(helpText(name, command, await program()));
  return 0;
}

async function obey([name, ...rest]: readonly string[]): Promise<number> {
  // The option may come before the command, as in the commands that this program prints.
  const [file, command, ...others] = rest;
  if (name === "--env-file" && file !== undefined && command !== undefined)
    return await obey([command, name, file, ...others]);
  if (name === undefined) {
    // A client that starts the program gives it a pipe.
    if (!process.stdin.isTTY) return await run("serve", []);
    const { welcome } = await import("../welcome.ts");
    return (await welcome()) === "init" ? await run("init", []) : 0;
  }
  if (name === "--version" || name === "-v") {
    console.log(version());
    return 0;
  }
  if (!["--help", "-h", "help"].includes(name)) return await run(name, rest);
  const [wanted] = rest;
  if (wanted !== undefined) return await run(wanted, ["--help"]);
  console.log(overview(await program()));
  return 0;
}
