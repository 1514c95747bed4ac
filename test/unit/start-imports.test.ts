import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const source = resolve(import.meta.dirname, "../../src");

/** Our files that are loaded together with this one: static imports, not those of types alone. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm,
  );
  for (const [, path = ""] of statements) loadedWith(join(dirname(file), path), seen);
  return seen;
}

it("a start of `serve` over stdio loads neither a tool nor the pipeline nor what speaks to a store", () => {
  const loaded = [...loadedWith(join(source, "app/serve.ts"))].map((file) =>
    relative(source, file),
  );
  // Proves that the walk sees anything at all.
  expect(loaded).toContain(join("mcp", "server.ts"));
  expect(
    loaded.filter((file) => /^(?:tools|adapters|stores|calendar|ingest|review)\b/.test(file)),
  ).toEqual([]);
  expect(loaded).not.toContain(join("core", "call.ts"));
});
