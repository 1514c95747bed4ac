import { ToolError } from "../core/tool/tool-error.ts";
import type { ToolContract } from "../core/tool/tool.ts";
import { parseResponse } from "../export/parse-response.ts";
import { exportCatalog, isProvider, mcpInput, providers } from "../export/providers.ts";
import { openDirectCalls } from "./compose/direct-calls.ts";
import { exportedTools } from "./compose/exported-tools.ts";
import { createLog } from "./platform/log.ts";
import { startLeaderJobs } from "./leader/serving-leader.ts";
import { loadSettings } from "./platform/settings.ts";

export type CatalogFormat = "mcp" | "openai" | "anthropic" | "gemini" | "ollama" | "ai-sdk";
export type CatalogRisk = "low" | "medium" | "high" | "dynamic";

export interface CatalogTool {
  name: string;
  title: string;
  description: string;
  risk: CatalogRisk;
  /** JSON Schema 2020-12 of the arguments. */
  inputSchema: Readonly<Record<string, unknown>>;
}

/** A valid call. It was not run. */
export interface CatalogCall {
  /** The provider's id of the call, for its result. */
  id?: string;
  tool: string;
  risk: CatalogRisk;
  /** The arguments with every default filled in. */
  arguments: Readonly<Record<string, unknown>>;
}

/** A call that cannot be run, and why. */
export interface FaultyCall {
  id?: string;
  error: { kind: string; message: string; hint?: string };
}

export interface CatalogAnswer {
  /** The text for a model. */
  text: string;
  isError: boolean;
  /** The structured content, if the call succeeded. */
  output?: Readonly<Record<string, unknown>>;
}

export interface Catalog {
  /** The tools that the policy offers to this caller, those of upstream servers too. */
  tools: readonly CatalogTool[];
  /** Returns tools in the form of a provider's API. */
  translate(tools: readonly Pick<CatalogTool, "name">[], format: CatalogFormat): unknown;
  /** Finds and validates the calls in a provider's response. Runs nothing. */
  parse(response: unknown, format: CatalogFormat): Promise<readonly (CatalogCall | FaultyCall)[]>;
  /** Runs a call through the pipeline, which parses it again, and asks a person at high risk. */
  run(call: CatalogCall, options?: { signal?: AbortSignal }): Promise<CatalogAnswer>;
  /** Waits for running calls and closes the stores. */
  close(): Promise<void>;
}

export interface CatalogOptions {
  /** Reads the settings from this file instead of `.env` in the data directory. */
  envFile?: string;
  /** The name of the calling program, which people see in requests and in the audit record. */
  client?: string;
}

/**
 * Opens the catalog in this process, with the same settings, stores, policy and audit record as `serve`.
 * @throws ConfigError, ToolError
 */
export async function openCatalog(options: CatalogOptions = {}): Promise<Catalog> {
  const { envFile, client = "catalog" } = options;
  const config = loadSettings({ envFile });
  const log = createLog(config.logLevel);
  const exported = await exportedTools(config, log, envFile);
  const calls = await openDirectCalls(config, log, client, {
    envFile,
    startJobs: startLeaderJobs,
  });
  const contracts = exported.tools.filter(({ name }) => calls.offers(name));
  return {
    tools: contracts.map(toCatalogTool),
    translate: (tools, format) => exportCatalog(named(contracts, tools), checkedFormat(format)),
    parse: async (response, format) =>
      await parseResponse(contracts, response, checkedFormat(format)),
    run: async (call, { signal = new AbortController().signal } = {}) => {
      const { tool, arguments: args } = checkedCall(call);
      const { text, isError, output } = await calls.call(tool, args, { signal });
      return { text, isError, ...(output !== undefined && { output }) };
    },
    close: async () => {
      await calls.close();
      await exported.close();
    },
  };
}

/** Programs in JavaScript may pass a faulty call, or one that was not parsed. @throws ToolError */
function checkedCall(call: Partial<CatalogCall> | undefined): CatalogCall {
  if (typeof call?.tool === "string") return call as CatalogCall;
  throw new ToolError(
    "invalid_input",
    "This is not a valid call that `parse` returned. Nothing was done.",
  );
}

function toCatalogTool(tool: ToolContract<never>): CatalogTool {
  const { name, title, description, risk } = tool;
  return { name, title, description, risk, inputSchema: mcpInput(tool) };
}

function named(
  contracts: readonly ToolContract<never>[],
  tools: readonly Pick<CatalogTool, "name">[],
): readonly ToolContract<never>[] {
  return tools.map(({ name }) => {
    const found = contracts.find((tool) => tool.name === name);
    if (found !== undefined) return found;
    throw new ToolError("not_found", `There is no tool ${JSON.stringify(name)}.`);
  });
}

/** Programs in JavaScript may pass any text. @throws ToolError that names every format */
function checkedFormat(format: string): CatalogFormat {
  if (isProvider(format)) return format;
  const given = JSON.stringify(String(format).slice(0, 80));
  const formats = Object.keys(providers).join(", ");
  throw new ToolError(
    "invalid_input",
    `There is no format ${given}. Nothing was done. Use one of: ${formats}.`,
  );
}
