import { text as readAll } from "node:stream/consumers";
import { defineCommand, form } from "../command-line/define-command.ts";
import { choice, json, optional } from "../command-line/options.ts";
import { errorFields, asToolError, ToolError } from "../../core/tool/tool-error.ts";
import { documentationPage } from "../../export/page.ts";
import { parseCall } from "../../export/parse-call.ts";
import { exportCatalog, isProvider, providers } from "../../export/providers.ts";
import { catalog, contracts } from "../../tools/catalog.ts";
import { documentation } from "../../tools/documentation.ts";

const formats = Object.keys(providers).filter(isProvider);

/** Reads the code alone, without settings or stores. */
export const command = defineCommand({
  about: "Shows the tools as data.",
  exitCodes: { 1: "failed, or `parse` read a faulty call" },
  initial: "list",
  forms: [
    form({
      name: "list",
      help: "list every tool with its risk",
      options: { json },
      run: (options) => list(options.json),
    }),
    form({
      name: "docs",
      help: "print the full page of one tool or of all",
      arguments: { tool: optional("TOOL") },
      run: (_, { tool }) => docs(tool),
    }),
    form({
      name: "export",
      help: "print the tools in the form of a provider's API",
      options: { format: choice("FORMAT", formats, "the provider's form") },
      run: ({ format }) => {
        console.log(JSON.stringify(exportCatalog(catalog, format), undefined, 2));
        return 0;
      },
    }),
    form({
      name: "parse",
      help: "read calls in any provider's form from standard input, as one JSON value or one per line, and print each call or its fault; nothing runs",
      run: parse,
    }),
  ],
});

function list(isJson: boolean): number {
  const works = new Set<string>(catalog.map(({ name }) => name));
  for (const { name, risk, operation: does, needs, description } of contracts) {
    const tool = { name, risk, does, needs, works: works.has(name), description };
    const state = tool.works ? "" : " (not there yet)";
    console.log(
      isJson ? JSON.stringify(tool) : `${name.padEnd(24)} ${risk.padEnd(8)} ${description}${state}`,
    );
  }
  return 0;
}

function docs(name: string | undefined): number {
  const tools = contracts.filter((tool) => name === undefined || tool.name === name);
  if (tools.length === 0) throw new ToolError("not_found", `There is no tool "${name}".`);
  const pages = tools.flatMap((tool) => {
    const written = documentation[tool.name];
    return written === undefined ? [] : [documentationPage(tool, written)];
  });
  console.log(pages.join("\n"));
  return 0;
}

async function parse(): Promise<number> {
  let failed = false;
  for (const call of calls(await readAll(process.stdin))) {
    try {
      console.log(JSON.stringify({ ok: true, ...parseCall(contracts, call) }));
    } catch (error) {
      failed = true;
      const { kind, message, hint } = errorFields(asToolError(error, false));
      console.log(JSON.stringify({ ok: false, error: { kind, message, hint } }));
    }
  }
  return failed ? 1 : 0;
}

/** Parses a JSON list of calls, one JSON call, or one call per line. */
function calls(input: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(input);
    return Array.isArray(value) ? value : [value];
  } catch {
    return input
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(fromLine);
  }
}

function fromLine(line: string, index: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new ToolError("invalid_input", `Line ${index + 1} is no JSON. Nothing was read.`, {
      cause,
    });
  }
}
