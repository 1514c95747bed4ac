import { readFileSync, readdirSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const src = fileURLToPath(new URL("../../src/", import.meta.url));

/** Imports of types and at run time too: a reader follows them all. */
const imported = /(?:^(?:import|export)\b[^;]*?\bfrom |^import |\bimport\()\s*"(\.[^"]+)"/gm;

function importsOf(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(imported)].map(([, specifier = ""]) =>
    resolve(dirname(path), specifier),
  );
}

/** Returns one circle of files that import each other. Each depends on the next, and the last on the first. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return [];
    path.push(file);
    for (const next of imports.get(file) ?? []) {
      const circle = visit(next);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const circle = visit(file);
    if (circle.length > 0) return circle;
  }
  return [];
}

// The linter overlooks imports at run time: eight files of the composition depended on each other through one.
it("no file depends on itself, by imports of types or at run time either", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => resolve(src, name));
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  expect([...imports.values()].flat().length).toBeGreaterThan(files.length);
  expect(circleIn(imports).map((file) => relative(src, file))).toEqual([]);
});

it("finds a circle behind the first file", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["leaf", "c"]],
    ["c", ["b"]],
    ["leaf", []],
  ]);
  expect(circleIn(imports)).toEqual(["b", "c"]);
});
