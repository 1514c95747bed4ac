import type { Risk } from "../core/policy/risk.ts";
import { withoutInvisible } from "../core/shared/text/clean-text.ts";
import {
  type Annotations,
  type Listing,
  type ObjectSchema,
  repeatOnceApproved,
} from "../core/tool/catalog.ts";
import type { OperationKind } from "../core/tool/tool.ts";
import type { ServerEntry, ToolDefinition } from "../ports/upstream/upstream-server.ts";
import { offeredName } from "./tool-name.ts";
import { claimsToRead } from "./tool-settings.ts";
import { listedSchema } from "./listed-schema.ts";
import { type Data, isData } from "../core/shared/data.ts";

/**
 * Returns the kind of operation, from the annotations that a person confirmed. A missing annotation counts as the most
 * dangerous value.
 */
export function operationOf(tool: ToolDefinition, risk: Risk): OperationKind {
  if (claimsToRead(tool) && risk === "low") return "reads";
  return tool.annotations?.["destructiveHint"] === false ? "adds" : "changes";
}

/**
 * Returns the entry of `tools/list` for a reviewed tool, in the server's own words without invisible characters. The
 * description of a high-risk tool also says how an approved call is run.
 */
export function upstreamListing(
  server: Pick<ServerEntry, "name">,
  tool: ToolDefinition,
  risk: Risk,
): Listing {
  const operation = operationOf(tool, risk);
  return {
    name: offeredName(server.name, tool.name),
    title: withoutInvisible(`${server.name}: ${tool.title ?? tool.name}`),
    description: described(withoutInvisible(tool.description ?? ""), risk),
    risk,
    inputSchema: listedSchema(cleaned(tool.inputSchema) as Data) as ObjectSchema,
    outputSchema: { type: "object", properties: { text: {}, failed: {}, untrusted: {} } },
    annotations: annotationsOf(operation, tool),
  };
}

function described(description: string, risk: Risk): string {
  return risk === "high" ? `${description} ${repeatOnceApproved}`.trimStart() : description;
}

function annotationsOf(
  operation: OperationKind,
  { annotations = {} }: ToolDefinition,
): Annotations {
  const openWorldHint = annotations["openWorldHint"] !== false;
  if (operation === "reads") return { readOnlyHint: true, openWorldHint };
  return {
    readOnlyHint: false,
    destructiveHint: operation !== "adds",
    idempotentHint: annotations["idempotentHint"] === true,
    openWorldHint,
  };
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return withoutInvisible(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isData(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [withoutInvisible(key), cleaned(part)]),
  );
}
