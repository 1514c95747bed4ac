#!/usr/bin/env node
import { readFileSync } from "node:fs";

interface Command {
  name: string;
  summary: string;
  load: () => Promise<{ run: (argv: string[]) => Promise<number> }>;
}

/** Each command is loaded when it is called: a stdio server starts once per client, and its start is felt. */
const commands: Command[] = [];

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";
}

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

async function main(argv: string[]): Promise<number> {
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
  const { run } = await command.load();
  return run(rest);
}

process.exitCode = await main(process.argv.slice(2));
