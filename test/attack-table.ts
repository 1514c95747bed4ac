import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

// Runs `countersign attack` and writes its tables into docs/reference/measurements.md and README.md.

const count = z.int().nonnegative();
const counts = { total: count, stopped: count, asked: count, undoable: count, passed: count };
const row = z.object({ category: z.string(), ...counts });
type Row = z.infer<typeof row>;

const file = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Adds the rows of one kind, such as `exfiltration, plain` and `exfiltration, split`. */
function byKind(rows: readonly Row[]): Row[] {
  const kinds = new Map<string, Row>();
  for (const one of rows) {
    const [category = ""] = one.category.split(",");
    const sum = kinds.get(category) ?? {
      category,
      total: 0,
      stopped: 0,
      asked: 0,
      undoable: 0,
      passed: 0,
    };
    kinds.set(category, {
      category,
      total: sum.total + one.total,
      stopped: sum.stopped + one.stopped,
      asked: sum.asked + one.asked,
      undoable: sum.undoable + one.undoable,
      passed: sum.passed + one.passed,
    });
  }
  return [...kinds.values()];
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ category, total, stopped, asked, undoable, passed }) =>
    [
      category === "benign" ? "ordinary tasks" : category,
      total,
      stopped,
      asked,
      undoable,
      passed,
    ].join(" | "),
  );
  return [
    "| category | scenarios | stopped | asked | can be undone | passed |",
    "|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}

function write(path: string, made: string): void {
  const text = readFileSync(file(path), "utf8");
  const [start, end] = ["<!-- attacks:start -->", "<!-- attacks:end -->"];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place for the table.`);
  writeFileSync(file(path), `${text.slice(0, from + start.length)}\n${made}\n${text.slice(to)}`);
}

const printed = execFileSync(process.execPath, [file("bundle/main.js"), "attack", "--json"], {
  encoding: "utf8",
});
const { categories } = z.object({ categories: z.array(row) }).parse(JSON.parse(printed));
write("docs/reference/measurements.md", table(categories));
write("README.md", table(byKind(categories)));
console.log(table(categories));
