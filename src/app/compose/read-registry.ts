import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../core/shared/program-root.ts";
import { answerSchema } from "../../core/tool/catalog.ts";
import type { ToolContract } from "../../core/tool/tool.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Registry, RegistryTool } from "../../export/registry.ts";

/** Beside the bundled program, also for one that runs from source. */
export const policySchemaPath = fileURLToPath(packageFile("bundle/policy.schema.json"));

export const registryPath = fileURLToPath(packageFile("bundle/tool-registry.json"));

/** By tool name. */
export type RegistryTools = ReadonlyMap<string, RegistryTool>;

/**
 * The artefact of the build, taken as it is: converting the schemas would be felt at every start.
 * @throws ToolError `internal` where it is missing or damaged
 */
export function readRegistry(path = registryPath): RegistryTools {
  return new Map(load(path).tools.map((tool) => [tool.name, tool]));
}

/**
 * That the registry belongs to this code is seen by what is cheap to compare; the rest is held by a contract test.
 * @throws ToolError `internal` where it is from another build
 */
export function checkRegistry(
  registry: RegistryTools,
  contracts: readonly ToolContract<never>[],
): void {
  const stale = contracts.filter((contract) => !isSame(contract, registry.get(contract.name)));
  if (stale.length === 0 && registry.size === contracts.length) return;
  const names = stale.map(({ name }) => name).join(", ") || "tools that are gone";
  throw unusable(registryPath, `is not of this code (${names})`);
}

function load(path: string): Registry {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw unusable(path, "is missing", cause);
  }
  try {
    const registry: unknown = JSON.parse(text);
    if (isRegistry(registry)) return registry;
  } catch (cause) {
    throw unusable(path, "cannot be read", cause);
  }
  throw unusable(path, "is no registry of tools");
}

/** Our own build wrote it and checked it; zod at every start would cost more than the parsing does. */
function isRegistry(value: unknown): value is Registry {
  return (
    typeof value === "object" && value !== null && "tools" in value && Array.isArray(value.tools)
  );
}

function isSame(contract: ToolContract<never>, entry: RegistryTool | undefined): boolean {
  return (
    entry !== undefined &&
    entry.risk === contract.risk &&
    entry.does === contract.operation &&
    entry.title === contract.title &&
    entry.summary === contract.description &&
    sameFields(contract.input.shape, entry.input.properties) &&
    sameFields(answerSchema(contract).shape, entry.output.properties)
  );
}

function sameFields(shape: object, properties: object): boolean {
  return Object.keys(shape).join() === Object.keys(properties).join();
}

function unusable(path: string, state: string, cause?: unknown): ToolError {
  return new ToolError(
    "internal",
    `The registry of tools (${path}) ${state}. Nothing was started. Run: npm run build`,
    { cause },
  );
}
