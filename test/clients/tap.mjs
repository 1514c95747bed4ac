#!/usr/bin/env node
// Starts the built program with the same arguments, and writes the JSON-RPC of both directions to rpc.log in its data directory.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));
const log = join(process.env.COUNTERSIGN_DATA_DIR, "rpc.log");
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], {
  stdio: ["pipe", "pipe", "inherit"],
});
const copy = (mark) => {
  let rest = "";
  return (data) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop();
    for (const line of lines) appendFileSync(log, `${mark} ${line}\n`);
  };
};
process.stdin.on("data", copy(">")).pipe(child.stdin);
child.stdout.on("data", copy("<")).pipe(process.stdout);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
