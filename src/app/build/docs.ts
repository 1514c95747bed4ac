import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { programRoot } from "../../core/shared/program-root.ts";
import type { Setting } from "../../config/kinds.ts";
import { settingGroups, type SettingGroup } from "../../config/settings.ts";
import { catalog, contracts } from "../../tools/catalog.ts";
import {
  code,
  commandsReference,
  errorsTable,
  fatigueTable,
  lifeTable,
  table,
} from "./reference-tables.ts";
import { clientsTable, deepLinks } from "./clients-table.ts";
import { toolsTable } from "./tools-table.ts";

type Regions = Readonly<Record<string, () => string | Promise<string>>>;

/** The generated regions of each page below `docs/`. */
const pages: Readonly<Record<string, Regions>> = {
  "docs/reference/tools.md": {
    tools: () =>
      toolsTable(
        contracts,
        catalog.map(({ name }) => name),
      ),
  },
  "docs/guides/clients.md": { clients: clientsTable, links: deepLinks },
  "docs/reference/settings.md": {
    settings: () => settingGroups.map(settingsTable).join("\n\n"),
  },
  "docs/reference/commands.md": { commands: commandsReference },
  "docs/reference/errors.md": { errors: errorsTable },
  "docs/reference/approvals.md": { life: lifeTable, limits: fatigueTable },
};

function settingsTable({ title, needs, settings }: SettingGroup): string {
  const needed = needs.length > 0 ? [`Needs ${needs.map(code).join(", ")}.`, ""] : [];
  return [
    `## ${title}`,
    "",
    ...needed,
    table(
      ["setting", "default", "must be", "meaning"],
      Object.entries(settings).map(([name, setting]) => [code(name), ...cells(setting)]),
    ),
  ].join("\n");
}

function cells({
  default: initial,
  defaultText,
  expected: what,
  description: meaning,
}: Setting<unknown>): string[] {
  return [initial === undefined ? (defaultText ?? "") : code(initial), what, meaning];
}

/**
 * Returns a page's text with every region generated again.
 * @throws if a marker is missing
 */
async function withRegions(path: string, page: string, regions: Regions): Promise<string> {
  let text = page;
  for (const [name, render] of Object.entries(regions)) {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const from = text.indexOf(start);
    const to = text.indexOf(end);
    if (from < 0 || to < from) throw new Error(`${path} has no region ${start} ... ${end}`);
    const rendered = await render();
    text = `${text.slice(0, from + start.length)}\n\n${rendered}\n\n${text.slice(to)}`;
  }
  return text;
}

/** Returns every page with generated regions: its current text, and the text that the code requires. */
export async function generatedPages(): Promise<{ path: string; now: string; due: string }[]> {
  return await Promise.all(
    Object.entries(pages).map(async ([path, regions]) => {
      const now = readFileSync(pathTo(path), "utf8");
      return { path, now, due: await withRegions(path, now, regions) };
    }),
  );
}

const pathTo = (path: string): string => fileURLToPath(new URL(path, programRoot));

/** Writes the generated regions for `npm run docs`. With `--check` it only compares them. */
async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { check: { type: "boolean" } } });
  const behind = (await generatedPages()).filter(({ now, due }) => now !== due);
  for (const { path, due } of behind) {
    if (values.check) console.error(`${path} does not match the code. Run: npm run docs`);
    else writeFileSync(pathTo(path), due);
  }
  return values.check && behind.length > 0 ? 1 : 0;
}

// Runs only as a program, not when it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await run(process.argv.slice(2));
