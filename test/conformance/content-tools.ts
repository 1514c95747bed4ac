import {
  type CallToolResult,
  type McpServer,
  type ServerContext,
  fromJsonSchema,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** The smallest PNG: one pixel. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** A WAV file without a sample. */
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

export function said(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

const fixed: Record<string, CallToolResult["content"]> = {
  test_simple_text: [{ type: "text", text: "This is a simple text response for testing." }],
  test_image_content: [{ type: "image", data: pixel, mimeType: "image/png" }],
  test_audio_content: [{ type: "audio", data: silence, mimeType: "audio/wav" }],
  test_embedded_resource: [
    {
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    },
  ],
  test_multiple_content_types: [
    { type: "text", text: "Multiple content types test:" },
    { type: "image", data: pixel, mimeType: "image/png" },
    {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: JSON.stringify({ test: "data", value: 123 }),
      },
    },
  ],
};

/** The keywords that a server must preserve (SEP-1613, SEP-2106). */
const keywords = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object" as const,
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

async function log(ctx: ServerContext, ...lines: string[]): Promise<void> {
  for (const line of lines) await ctx.mcpReq.log("info", line);
}

export function addContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(fixed)) {
    server.registerTool(name, { description: "Always answers the same" }, () => ({ content }));
  }
  server.registerTool("test_error_handling", { description: "Always fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  server.registerTool(
    "test_tool_with_progress",
    { description: "Tells of progress" },
    async (ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken ?? 0, progress, total: 100 };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      }
      return said("done");
    },
  );
  server.registerTool("test_tool_with_logging", { description: "Logs" }, async (ctx) => {
    await log(ctx, "Tool execution started", "Tool processing data", "Tool execution completed");
    return said("done");
  });
  server.registerTool("test_logging_tool", { description: "Logs once" }, async (ctx) => {
    await log(ctx, "logged");
    return said("done");
  });
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Has a rich schema", inputSchema: fromJsonSchema(keywords) },
    () => said("done"),
  );
  server.registerTool(
    "test_region_header",
    {
      description: "Repeats an argument in a header",
      inputSchema: z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) }),
    },
    ({ region }) => said(region),
  );
}
