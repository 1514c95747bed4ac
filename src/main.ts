#!/usr/bin/env node
import { runCommandLine } from "./app/command-line/run-command-line.ts";
import { hideLibraryOutput } from "./app/platform/library-output.ts";

// Files that this process creates are for this user alone.
process.umask(0o077);
hideLibraryOutput();
process.exitCode = await runCommandLine(process.argv.slice(2));
