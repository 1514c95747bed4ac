import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Setting } from "../../config/kinds.ts";
import { settingGroups, type SettingGroup } from "../../config/settings.ts";
import { catalog, contracts } from "../../tools/catalog.ts";
import { toolsTable } from "./tools-table.ts";

/** What stands between the markers of each name in the README. */
const regions: Record<string, () => string> = {
  tools: () =>
    toolsTable(
      contracts,
      catalog.map(({ name }) => name),
    ),
  settings: () => settingGroups.map(settingsTable).join("\n\n"),
};

function settingsTable({ title, needs, settings }: SettingGroup): string {
  const heading = `**${title}**`;
  const needed = needs.length > 0 ? `, needs ${needs.map(code).join(", ")}` : "";
  return [
    `${heading}${needed}`,
    "",
    "| setting | default | must be | meaning |",
    "|---|---|---|---|",
    ...Object.entries(settings).map(([name, setting]) => row([code(name), ...cells(setting)])),
  ].join("\n");
}

function cells({
  default: initial,
  defaultText: initially,
  expected: what,
  description: meaning,
}: Setting<unknown>): string[] {
  return [initial === undefined ? (initially ?? "") : code(initial), what, meaning];
}

const code = (text: string): string => `\`${text}\``;

const row = (texts: string[]): string =>
  `| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;

/** The README with every region written anew. */
export function withRegions(readme: string): string {
  return Object.entries(regions).reduce((text, [name, render]) => {
    const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
    const from = text.indexOf(start);
    const to = text.indexOf(end);
    if (from < 0 || to < from) throw new Error(`README.md has no region ${start} ... ${end}`);
    return `${text.slice(0, from + start.length)}\n\n${render()}\n\n${text.slice(to)}`;
  }, readme);
}

/** `npm run docs` writes the README's tables; with `--check` it only tells whether they are up to date. */
export function run(argv: string[]): number {
  const { values } = parseArgs({ args: argv, options: { check: { type: "boolean" } } });
  const path = fileURLToPath(new URL("../../../README.md", import.meta.url));
  const before = readFileSync(path, "utf8");
  const after = withRegions(before);
  if (before === after) return 0;
  if (values.check) {
    console.error("README.md is not what the code says; run: npm run docs");
    return 1;
  }
  writeFileSync(path, after);
  return 0;
}

// A tool of the repository, not a command of the program: it runs only when it is the program.
if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = run(process.argv.slice(2));
