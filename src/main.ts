#!/usr/bin/env node
import { helpText } from "./app/command-line/help-text.ts";
import { UsageError } from "./app/command-line/options.ts";
import { overview } from "./app/command-line/overview.ts";
import { parseCommandLine } from "./app/command-line/parse-command-line.ts";
import { commands } from "./app/commands.ts";
import { hideLibraryOutput } from "./app/platform/library-output.ts";
import { version } from "./app/platform/version.ts";
import { nearestName } from "./core/shared/text/nearest-name.ts";

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
  const known = ["ConfigError", "ToolError", "PolicyFileError"];
  if (known.includes(error.name)) {
    const hint = "hint" in error && typeof error.hint === "string" ? [error.hint] : [];
    return [error.message, ...hint].join(" ");
  }
  const { isDebugging } = await import("./app/platform/settings.ts");
  const stack = isDebugging() ? error.stack : undefined;
  return stack ?? `countersign stopped: ${error.message} (LOG_LEVEL=debug tells more)`;
}

/** Returns this program as a person can type it. Imported late, because it reads the settings' declarations. */
async function program(): Promise<string> {
  const { ownProgram } = await import("./app/platform/own-command.ts");
  return ownProgram();
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
  // A reader such as `| head` may close our output early. `serve` handles that itself.
  if (name !== "serve") {
    process.stdout.once("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? 0 : 1);
    });
  }
  const { command } = await row.load();
  const parsed = parseCommandLine(name, command, argv);
  if (parsed !== "help") return await parsed.run();
  console.log(helpText(name, command, await program()));
  return 0;
}

async function main([name, ...rest]: readonly string[]): Promise<number> {
  // Files that this process creates are for this user alone.
  process.umask(0o077);
  hideLibraryOutput();
  // The option may come before the command, as in the commands that this program prints.
  const [file, command, ...others] = rest;
  if (name === "--env-file" && file !== undefined && command !== undefined)
    return await main([command, name, file, ...others]);
  if (name === undefined) {
    // A client that starts the program gives it a pipe.
    if (!process.stdin.isTTY) return await run("serve", []);
    const { welcome } = await import("./app/welcome.ts");
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

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(await explain(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
