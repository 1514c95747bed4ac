import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectAll, filledHome } from "./filled-home.ts";
import { newHome } from "./home.ts";
import { runHere } from "./program.ts";

it("a restore creates the directory of the database that the settings name", async (t) => {
  // The command ended with "restoring/countersign.db does not exist. The command stopped before its end".
  const home = await filledHome(t);
  const file = join(newHome(t).dir, "home.age");
  const args = [file, "--passphrase-stdin"];
  const input = "correct horse battery\n";
  expect((await runHere(home, ["backup", ...args], { input })).code).toBe(0);
  const other = newHome(t, { DATABASE_URL: "file:data/here/mail.db" });
  const { code, stdout, stderr } = await runHere(other, ["restore", ...args], { input });
  expect(code, stdout + stderr).toBe(0);
  expect(existsSync(join(other.dir, "data/here/mail.db"))).toBe(true);
  await expectAll(other);
});
