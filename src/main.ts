#!/usr/bin/env node
import { runCommandLine } from "./app/command-line/run-command-line.ts";
import { hideLibraryOutput } from "./app/platform/library-output.ts";
import { tooOldNode } from "./app/platform/version.ts";

// Files that this process creates are for this user alone.
process.umask(0o077);
hideLibraryOutput();
const problem = tooOldNode(process.versions.node);
if (problem === undefined) process.exitCode = await runCommandLine(process.argv.slice(2));
else {
  console.error(problem);
  process.exitCode = 1;
}
