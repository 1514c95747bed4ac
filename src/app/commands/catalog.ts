import { text as readAll } from "node:stream/consumers";
import { defineCommand, form } from "../command-line/define-command.ts";
import { choice, envFile, json, oneOf, optional } from "../command-line/options.ts";
import { visible } from "../../core/shared/text/visible.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { documentationPage } from "../../export/page.ts";
import { parseResponse } from "../../export/parse-response.ts";
import {
  exportCatalog,
  isProvider,
  mcpInput,
  type Provider,
  providers,
} from "../../export/providers.ts";
import { catalog, contracts } from "../../tools/catalog.ts";
import { isInCatalog } from "../compose/configured-ports.ts";
import { type ExportedTools, exportedTools } from "../compose/exported-tools.ts";
import { createLog } from "../platform/log.ts";
import { loadSettings } from "../platform/settings.ts";
import { documentation } from "../../tools/documentation.ts";
import { hasUsualNames } from "../../upstream/own-tools.ts";
import { isUpstreamName } from "../../upstream/tool-name.ts";

const formats = Object.keys(providers).filter(isProvider);

/** Reads the code, and the reviewed tools of upstream servers. The stores stay closed. */
export const command = defineCommand({
  about: "Shows the tools as data.",
  exitCodes: { 1: "failed, or `parse` read a faulty call" },
  initial: "list",
  forms: [
    form({
      name: "list",
      help: "list the tools with their risks",
      options: { json, envFile },
      run: list,
    }),
    form({
      name: "docs",
      help: "print the full page of one tool or of all",
      arguments: { tool: optional("TOOL") },
      options: { envFile },
      run: (options, { tool }) => docs(tool, options.envFile),
    }),
    form({
      name: "export",
      help: "print the tools, including reviewed ones of upstream servers, in the format of a provider's API",
      options: { format: choice("FORMAT", formats, "the provider's format"), envFile },
      run: async ({ format, envFile: file }) => {
        return await withTools(file, (tools) => {
          const usual = tools.filter((tool) => hasUsualNames({ inputSchema: mcpInput(tool) }));
          console.log(JSON.stringify(exportCatalog(usual, format), undefined, 2));
          for (const { name } of tools.filter((tool) => !usual.includes(tool)))
            console.error(
              `${name} is left out, because model services refuse the name of an argument.`,
            );
          return Promise.resolve(0);
        });
      },
    }),
    form({
      name: "parse",
      help: "read calls in any provider's format from standard input, as one JSON value or one per line, and print each call or its fault, without running it",
      options: {
        format: oneOf(
          "FORMAT",
          formats,
          "the provider's format; without it, `parse` recognises the format of each call",
        ),
        envFile,
      },
      run: parse,
    }),
  ],
});

/** The shown part of an upstream server's description. Characters. */
const maxDescription = 100;

async function list({
  json: isJson,
  envFile: file,
}: {
  json: boolean;
  envFile: string | undefined;
}): Promise<number> {
  const works = new Set<string>(catalog.map(({ name }) => name));
  for (const { name, risk, operation, needs, description } of contractsHere(file)) {
    const tool = { name, risk, operation, needs, works: works.has(name), description };
    const state = tool.works ? "" : " (not implemented)";
    console.log(isJson ? JSON.stringify(tool) : row({ ...tool, description: description + state }));
  }
  return await withTools(file, (tools) => {
    for (const { name, risk, operation, needs, description } of tools) {
      if (works.has(name)) continue;
      const shown = visible(description.slice(0, maxDescription));
      console.log(
        isJson
          ? JSON.stringify({ name, risk, operation, needs, works: true, description })
          : row({ name, risk, description: shown }),
      );
    }
    return Promise.resolve(0);
  });
}

function row({ name, risk, description }: { name: string; risk: string; description: string }) {
  return `${name.padEnd(24)} ${risk.padEnd(8)} ${description}`.trimEnd();
}

function docs(name: string | undefined, file: string | undefined): number {
  const tools =
    name === undefined ? contractsHere(file) : contracts.filter((tool) => tool.name === name);
  if (tools.length === 0) throw withoutPage(name ?? "");
  const pages = tools.flatMap((tool) => {
    const written = documentation[tool.name];
    return written === undefined ? [] : [documentationPage(tool, written)];
  });
  console.log(pages.join("\n"));
  return 0;
}

function withoutPage(name: string): ToolError {
  if (!isUpstreamName(name)) return new ToolError("not_found", `There is no tool "${name}".`);
  return new ToolError("not_found", "The tools of upstream servers have no pages here.", {
    hint: "`catalog export` prints their schemas, and `servers review` shows their definitions.",
  });
}

async function parse(options: {
  format: Provider | undefined;
  envFile: string | undefined;
}): Promise<number> {
  const given = calls(await readAll(process.stdin));
  const read = await withTools(options.envFile, async (tools) => {
    const each = given.map((value) => parseResponse(tools, value, options.format));
    return (await Promise.all(each)).flat();
  });
  for (const call of read) console.log(JSON.stringify({ ok: !("error" in call), ...call }));
  return read.some((call) => "error" in call) ? 1 : 0;
}

/** Returns the fourteen tools, and further ones that are configured. */
function contractsHere(file: string | undefined) {
  const config = loadSettings({ envFile: file });
  return contracts.filter((tool) => isInCatalog(tool, config));
}

async function withTools<T>(
  file: string | undefined,
  work: (tools: ExportedTools["tools"]) => Promise<T>,
): Promise<T> {
  const exported = await exportedTools(loadSettings({ envFile: file }), createLog("error"), file);
  try {
    return await work(exported.tools);
  } finally {
    await exported.close();
  }
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
    throw new ToolError("invalid_input", `Line ${index + 1} is not JSON. Nothing was read.`, {
      cause,
    });
  }
}
