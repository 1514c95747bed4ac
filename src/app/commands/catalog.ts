import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { errorFields, asToolError, ToolError } from "../../core/tool/tool-error.ts";
import { documentationPage } from "../../export/page.ts";
import { parseCall } from "../../export/parse-call.ts";
import { exportCatalog, isProvider, providers } from "../../export/providers.ts";
import { catalog, contracts } from "../../tools/catalog.ts";
import { documentation } from "../../tools/documentation.ts";

const formats = Object.keys(providers).join("|");

export const usage = `Usage: countersign catalog list [--json]
       countersign catalog docs [TOOL]
       countersign catalog export --format ${formats}
       countersign catalog parse < CALLS

The tools as data.

  list    every tool with its risk
  docs    the full documentation, of one tool or of all
  export  the tools in the form that a provider's API takes
  parse   reads calls in any provider's form from standard input, one JSON value or one a line, and says what each would
          be; it runs nothing

  --json  one JSON object a line`;

/** Looks at the code alone: no settings, no stores. */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      format: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action = "list", name, ...rest] = positionals;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (rest.length === 0 && (name === undefined || action === "docs")) {
    if (action === "list") return list(values.json);
    if (action === "docs") return docs(name);
    if (action === "parse") return await parse();
    if (action === "export" && values.format !== undefined && isProvider(values.format)) {
      console.log(JSON.stringify(exportCatalog(catalog, values.format), undefined, 2));
      return 0;
    }
  }
  console.error(usage);
  return 2;
}

function list(json: boolean): number {
  const works = new Set<string>(catalog.map(({ name }) => name));
  for (const { name, risk, operation: does, needs, description } of contracts) {
    const tool = { name, risk, does, needs, works: works.has(name), description };
    const state = tool.works ? "" : " (not there yet)";
    console.log(
      json ? JSON.stringify(tool) : `${name.padEnd(24)} ${risk.padEnd(8)} ${description}${state}`,
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

/** One JSON value, a list of calls, or one call a line. */
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
