import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { requirements } from "./requirements.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const ids: readonly string[] = requirements.map(({ id }) => id);
const areas = new Set(ids.map((id) => id.split(".")[0]));

/** Each citation `[area.promise]` in a test's name or comment, with the file that has it. */
const citations = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith(join("contract", "requirements")))
  .flatMap((file) =>
    Array.from(
      // The character before the bracket distinguishes a citation from an index such as `rows[mail.index]`.
      readFileSync(join(folder, file), "utf8").matchAll(/(?<=[\s"'`])\[([a-z]+)\.([a-z0-9-]+)\]/g),
      ([, area, promise]) => ({ file, area, id: `${area}.${promise}` }),
    ),
  )
  .filter(({ area }) => areas.has(area));

describe("the promises", () => {
  it.each(requirements)("are cited by a test: $id, $sentence", ({ id }) => {
    expect(citations.map((citation) => citation.id)).toContain(id);
  });

  it("have a unique id and sentence", () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(requirements.map(({ sentence }) => sentence)).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
  });

  it("are cited only by their ids", () => {
    expect(citations.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });
});
