import { createSchemaChecks } from "../../adapters/ajv/schema-checks.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ToolDefinition } from "../../ports/upstream/upstream-server.ts";

/** A server can list 1 000 schemas that each take seconds to read. Later ones are reported at a call. Milliseconds. */
const withinMs = 20_000;

/** Returns the names of the tools whose input schema cannot check a call. Each call of such a tool is refused. */
export async function schemaFaults(
  tools: readonly ToolDefinition[],
  log: Log,
): Promise<ReadonlySet<string>> {
  const checks = createSchemaChecks(log);
  const endsAt = performance.now() + withinMs;
  const faulty = new Set<string>();
  try {
    for (const { name, inputSchema } of tools) {
      if (performance.now() > endsAt) break;
      if (excludesObjects(inputSchema)) {
        faulty.add(name);
        continue;
      }
      try {
        await checks.compile(inputSchema, name)({});
      } catch (thrown) {
        if (!(thrown instanceof ToolError)) throw thrown;
        if (thrown.kind === "unavailable") faulty.add(name);
      }
    }
  } finally {
    await checks.close();
  }
  return faulty;
}

/** Returns whether a schema is for another type than an object, which arguments always are. */
function excludesObjects({ type }: ToolDefinition["inputSchema"]): boolean {
  if (type === undefined || type === null) return false;
  return Array.isArray(type) ? !type.includes("object") : type !== "object";
}
