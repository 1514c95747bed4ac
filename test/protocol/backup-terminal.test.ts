import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filledHome } from "./filled-home.ts";
import { newHome } from "./home.ts";
import { converseAtTerminal, keys } from "./terminal.ts";

// Ctrl-C at the passphrase printed "countersign stopped:  (LOG_LEVEL=debug shows details)".
it.for(["backup", "restore"])("%s says that Ctrl-C cancelled it", async (command, t) => {
  const home = command === "backup" ? await filledHome(t) : newHome(t);
  const file = join(home.dir, "file.age");
  if (command === "restore") writeFileSync(file, "");
  const { code, stdout } = await converseAtTerminal(
    home,
    [command, file],
    [["Passphrase of the backup", keys.interrupt]],
  );
  expect(code).toBe(130);
  expect(stdout).toMatch(/Cancelled\. Nothing was done\.\s*$/);
  expect(stdout).not.toContain("countersign stopped");
  expect(existsSync(file)).toBe(command === "restore");
});
