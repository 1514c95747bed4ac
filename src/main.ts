#!/usr/bin/env node
import { commands } from "./app/commands.ts";
import { version } from "./app/platform/version.ts";

// The S3 client warns about this Node on stderr, where a client's person reads it. Node's support is this package's matter.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

function help(): string {
  const width = Math.max(0, ...commands.map(({ name }) => name.length));
  return [
    "Usage: countersign COMMAND [OPTIONS]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "countersign COMMAND --help tells a command's options.",
  ].join("\n");
}

/** What a person can mend is told in one sentence; a stack trace only helps who mends the program. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  const known = ["ConfigError", "ToolError", "PolicyFileError"].includes(error.name);
  if (known || code.startsWith("ERR_PARSE_ARGS_")) return error.message;
  const stack = process.env["LOG_LEVEL"] === "debug" ? error.stack : undefined;
  return stack ?? `countersign stopped: ${error.message} (LOG_LEVEL=debug tells more)`;
}

async function main(argv: string[]): Promise<number> {
  // Whatever this process creates is for this user alone.
  process.umask(0o077);
  const [name = "--help", ...rest] = argv;
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(help());
    return 0;
  }
  if (name === "--version" || name === "-v") {
    console.log(version());
    return 0;
  }
  const command = commands.find((known) => known.name === name);
  if (!command) {
    console.error(`There is no command "${name}".\n\n${help()}`);
    return 2;
  }
  // Whoever reads our output may have enough of it, as `| head` has. `serve` notices by itself, and ends in order.
  if (name !== "serve") {
    process.stdout.once("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? 0 : 1);
    });
  }
  try {
    const { run } = await command.load();
    return await run(rest);
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
