import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";

it("a data directory that its own .env names is reported as without effect", async (t) => {
  // Doctor listed it among the settings of the file, and the data stayed where it was.
  const home = newHome(t);
  const file = join(home.dir, ".env");
  const write = (dir: string): void =>
    writeFileSync(file, `COUNTERSIGN_DATA_DIR=${dir}\nUNDO_HOURS=5\n`, { mode: 0o600 });
  write("/elsewhere");
  const { code, stdout, stderr } = await runProgram(home, ["doctor"]);
  expect(code).toBe(0);
  expect(stderr).toBe(
    `COUNTERSIGN_DATA_DIR in ${file} has no effect, because the file is in the data directory. Set it in the environment, or move the file and name it with --env-file.\n`,
  );
  expect(stdout).toContain(`settings from ${file}: UNDO_HOURS\n`);
  write(home.dir);
  expect((await runProgram(home, ["doctor"])).stderr).toBe("");
});

it("a setting in lower case is reported as without effect", async (t) => {
  const home = newHome(t);
  writeFileSync(join(home.dir, ".env"), "mail_keep_days=30\n", { mode: 0o600 });
  expect((await runProgram(home, ["mail", "list"])).stderr).toBe(
    "mail_keep_days is set but is not a setting. It has no effect. Did you mean MAIL_KEEP_DAYS?\n",
  );
});
