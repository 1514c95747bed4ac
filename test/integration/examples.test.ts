import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { assist } from "../../examples/ai-sdk.ts";
import { scripted } from "../fakes/scripted-model.ts";
import { newHome, storedFile } from "../protocol/home.ts";
import { runProgram } from "../protocol/program.ts";

const policies = fileURLToPath(new URL("../../examples/policies/", import.meta.url));
const before = { ...process.env };

afterEach(() => {
  process.env = { ...before };
});

describe("the examples", () => {
  for (const name of readdirSync(policies)) {
    it(`have a usable policy file ${name}`, async (t) => {
      const home = newHome(t);
      const checked = await runProgram(home, ["policy", "check", `${policies}${name}`]);
      expect(checked, checked.stderr).toMatchObject({ code: 0 });
    });
  }

  it("have an AI SDK program that answers in five steps", async (t) => {
    const home = newHome(t);
    Object.assign(process.env, home.env);
    const writes = [1, 2, 3, 4].map(
      (number) => ["write_file", { key: `${number}.md`, content: "x" }] as const,
    );
    expect(await assist(scripted([...writes, "Done."]), "Write four files.")).toBe("Done.");
    expect(await storedFile(home, "4.md")).toMatchObject({ there: true });
  });
});
