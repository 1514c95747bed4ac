// Loaded into a process under test by `--import`: ends it as SIGKILL does, when it would give a draft the name of a file.
// KILL_AT_RENAME counts from 1.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

if (process.env.KILL_AT_RENAME !== undefined) {
  let left = Number(process.env.KILL_AT_RENAME);
  const rename = fs.renameSync;
  fs.renameSync = (...args) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
    rename(...args);
  };
  syncBuiltinESMExports();
}
