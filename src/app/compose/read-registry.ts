import type { z } from "zod";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../core/shared/program-root.ts";
import { resultSchema, shownFields } from "../../core/tool/catalog.ts";
import type { ToolContract } from "../../core/tool/tool.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Registry, RegistryTool } from "../../export/registry.ts";

/** Stored with the bundled program, also for a program that runs from source. */
export const policySchemaPath = fileURLToPath(packageFile("bundle/policy.schema.json"));

export const registryPath = fileURLToPath(packageFile("bundle/tool-registry.json"));

/** Keyed by tool name. */
export type RegistryTools = ReadonlyMap<string, RegistryTool>;

/**
 * Reads the registry that the build wrote. Its schemas are already converted, which keeps starts fast.
 * @throws ToolError `internal` if the file is missing or damaged
 */
export function readRegistry(path = registryPath): RegistryTools {
  return new Map(load(path).tools.map((tool) => [tool.name, tool]));
}

/**
 * Compares the registry with this code in cheap ways. A contract test compares the rest.
 * @throws ToolError `internal` if it is from another build
 */
export function checkRegistry(
  registry: RegistryTools,
  contracts: readonly ToolContract<never>[],
): void {
  const stale = contracts.filter((contract) => !isSame(contract, registry.get(contract.name)));
  if (stale.length === 0 && registry.size === contracts.length) return;
  const names = stale.map(({ name }) => name).join(", ") || "tools that no longer exist";
  throw unusable(registryPath, `does not match this code (${names})`);
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
  throw unusable(path, "is not a registry of tools");
}

/** Checks the shape only. Our own build validated the file, and zod would take longer than parsing it. */
function isRegistry(value: unknown): value is Registry {
  return (
    typeof value === "object" && value !== null && "tools" in value && Array.isArray(value.tools)
  );
}

function isSame(contract: ToolContract<never>, entry: RegistryTool | undefined): boolean {
  return (
    entry !== undefined &&
    entry.risk === contract.risk &&
    entry.operation === contract.operation &&
    entry.title === contract.title &&
    entry.summary === contract.description &&
    sameFields(contract.input, entry.input.properties) &&
    sameFields(resultSchema(contract), entry.output.properties)
  );
}

function sameFields(schema: z.ZodObject, properties: object): boolean {
  return shownFields(schema).join() === Object.keys(properties).join();
}

function unusable(path: string, state: string, cause?: unknown): ToolError {
  return new ToolError(
    "internal",
    `The registry of tools (${path}) ${state}. Nothing was started. Run: npm run build`,
    { cause },
  );
}
