import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { commands } from "../../src/app/commands.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
const names = commands.map(({ name }) => name).join("|");

/** A line to type with a fixed program name: after a backtick or a colon, or in `Run countersign ...`. */
const fixed = new RegExp(`(?:\\\`|: |[Rr]un |[Ss]ee |with )countersign (?:${names})\\b`);

/**
 * Texts that name the installed program, and that this test does not cover: a notice of a tool that is replaced later,
 * and the parser.
 */
const exceptions = ["tools/email/read-email.ts", "app/mail/mail-fetching.ts"];

// Sixteen sentences named `countersign`, which is not on PATH after a clone.
it("each sentence names commands as they are typed on this machine [directions.true]", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !exceptions.includes(path),
  );
  const found = files.flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && fixed.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
