import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { table } from "../../src/app/build/reference-tables.ts";

/** The observations of one run. */
export interface Row {
  title: string;
  package: string;
  version: string;
  transport: string;
  protocol: string;
  dialog: string;
  sees: string;
  tokens: number;
  /** The tokens of all results of the run divided by those of their texts alone. */
  times: number;
  remarks: readonly string[];
}

const path = fileURLToPath(new URL("../../docs/clients.md", import.meta.url));
const [start, end] = ["<!-- runs:start -->", "<!-- runs:end -->"];

/** Writes a row into docs/clients.md. The other rows stay as they are. */
export function writeReport(row: Row): void {
  const page = readFileSync(path, "utf8");
  const [before = "", rest = ""] = page.split(start);
  const [now = "", after = ""] = rest.split(end);
  const header = [
    "client",
    "package",
    "transport",
    "protocol",
    "dialog",
    "what the model sees of a search",
    "all results, times their text alone",
    "remarks",
  ];
  const known = now
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| client |"))
    .map((line) => line.slice(2, -2).split(" | "))
    .filter(([title, , transport]) => title !== row.title || transport !== row.transport);
  const all = [...known, cells(row)].toSorted((one, other) =>
    `${one[0]} ${one[2]}`.localeCompare(`${other[0]} ${other[2]}`, "en"),
  );
  writeFileSync(path, `${before}${start}\n\n${table(header, all)}\n\n${end}${after}`);
}

function cells(row: Row): string[] {
  return [
    row.title,
    `\`${row.package}\` ${row.version}`,
    row.transport,
    row.protocol,
    row.dialog,
    `${row.sees}, ${row.tokens} tokens`,
    row.times.toFixed(2),
    row.remarks.join("; "),
  ];
}
