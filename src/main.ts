#!/usr/bin/env node
import { version } from "./app/platform/version.ts";

interface Command {
  name: string;
  summary: string;
  load: () => Promise<{ run: (argv: string[]) => Promise<number> }>;
}

/** Each command is loaded when it is called: a stdio server starts once per client, and its start is felt. */
const commands: Command[] = [
  {
    name: "serve",
    summary: "speak MCP over stdin and stdout, for a client that starts this program",
    load: () => import("./app/commands/serve.ts"),
  },
  {
    name: "ingest",
    summary: "receive mail and make it findable",
    load: () => import("./app/commands/ingest.ts"),
  },
  {
    name: "import",
    summary: "take in messages from files",
    load: () => import("./app/commands/import.ts"),
  },
  {
    name: "mail",
    summary: "look at what came in, and release, retry or delete it",
    load: () => import("./app/commands/mail.ts"),
  },
  {
    name: "init",
    summary: "ask what you want to set up, try it and write it down",
    load: () => import("./app/commands/init.ts"),
  },
  {
    name: "doctor",
    summary: "try every connection and say what to mend",
    load: () => import("./app/commands/doctor.ts"),
  },
  {
    name: "approvals",
    summary: "look at what was asked for, and approve or deny it",
    load: () => import("./app/commands/approvals.ts"),
  },
  {
    name: "policy",
    summary: "check, explain, list and suggest rules about calls",
    load: () => import("./app/commands/policy.ts"),
  },
  {
    name: "activity",
    summary: "show what happened, as a diary",
    load: () => import("./app/commands/activity.ts"),
  },
  {
    name: "undo",
    summary: "take a change of a file back",
    load: () => import("./app/commands/undo.ts"),
  },
  {
    name: "audit",
    summary: "list the record of what happened, and verify that nothing is missing from it",
    load: () => import("./app/commands/audit.ts"),
  },
  {
    name: "catalog",
    summary: "show the tools, their documentation and their schemas for a model's provider",
    load: () => import("./app/commands/catalog.ts"),
  },
  {
    name: "demo",
    summary: "the whole story in a minute, in a temporary directory",
    load: () => import("./app/commands/demo.ts"),
  },
];

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
