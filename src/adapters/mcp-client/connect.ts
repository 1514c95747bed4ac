import { Client, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type {
  ConnectUpstream,
  ToolDefinition,
  UpstreamAnswer,
  UpstreamBlock,
  UpstreamCall,
} from "../../ports/upstream/upstream-server.ts";
import { lost, notStarted, refusedByServer, tooLate, unreadable } from "./errors.ts";
import { ProcessTransport } from "./process-transport.ts";

const startWithinMs = 30_000;
const listWithinMs = 15_000;
const maxTools = 1_000;
/** All pages of a list together. Characters. */
const maxListCharacters = 5 * 1_048_576;
const maxPages = 100;

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const block = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    mimeType: z.string().optional(),
    name: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
  }),
]);
const answer = z.looseObject({
  content: z.array(block).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

/**
 * Returns the function that connects to an upstream server.
 * @param settings.usable returns the definition of a listed tool. Undefined for a tool that cannot be used
 */
export function upstreamConnector(settings: {
  version: string;
  usable: (tool: unknown) => ToolDefinition | undefined;
  log: Log;
}): ConnectUpstream {
  const { version, usable, log } = settings;
  return async ({ name: server, target }) => {
    if (target.kind !== "process") throw notStarted(server, "is reached over HTTP");
    const transport = new ProcessTransport(target, (method) =>
      log.warn("an upstream server asked for something that is not passed on", { server, method }),
    );
    const client = new Client({ name: "countersign", version }, { capabilities: {} });
    try {
      await client.connect(transport, { timeout: startWithinMs });
    } catch (cause) {
      const reason =
        transport.reason ?? (isTimeout(cause) ? "did not start within 30 s" : "does not speak MCP");
      await transport.close();
      throw notStarted(server, reason, cause);
    }

    function explained(thrown: unknown, call: { acts: boolean; timeoutMs: number }): ToolError {
      if (thrown instanceof ToolError) return thrown;
      if (transport.reason !== undefined) return lost(server, transport.reason, call, thrown);
      if (isTimeout(thrown)) return tooLate(server, call.timeoutMs, call);
      if (ProtocolError.isInstance(thrown)) return refusedByServer(server, thrown.code, thrown);
      return unreadable(server, call, thrown);
    }

    async function list(signal?: AbortSignal): Promise<readonly ToolDefinition[]> {
      const found: ToolDefinition[] = [];
      const names = new Set<string>();
      let cursor: string | undefined;
      let characters = 0;
      let count = 0;
      for (let pages = 0; pages < maxPages; pages += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const options = { timeout: listWithinMs, ...(signal && { signal }) };
        const got = page.parse(
          await client.request({ method: "tools/list", params }, page, options),
        );
        characters += JSON.stringify(got).length;
        count += got.tools.length;
        if (count > maxTools || characters > maxListCharacters)
          throw notStarted(server, `lists more than ${maxTools} tools or 5 MB`);
        for (const each of got.tools) {
          const tool = usable(each);
          if (tool === undefined || names.has(tool.name)) {
            log.warn("a tool of an upstream server cannot be used", { server });
            continue;
          }
          names.add(tool.name);
          found.push(tool);
        }
        cursor = got.nextCursor;
        if (cursor === undefined) return found;
      }
      throw notStarted(server, "lists its tools without an end");
    }

    return {
      list: async (signal) => {
        try {
          return await list(signal);
        } catch (thrown) {
          throw explained(thrown, { acts: false, timeoutMs: listWithinMs });
        }
      },
      call: async (call: UpstreamCall) => {
        const params = { name: call.tool, arguments: { ...call.arguments } };
        const options = { timeout: call.timeoutMs, signal: call.signal };
        try {
          const result = await client.request({ method: "tools/call", params }, answer, options);
          return toAnswer(answer.parse(result));
        } catch (thrown) {
          throw explained(thrown, call);
        }
      },
      takeListChanged: () => {
        const changed = transport.listChanged;
        transport.listChanged = false;
        return changed;
      },
      get isClosed() {
        return transport.reason !== undefined;
      },
      close: async () => {
        await transport.close();
        await client.close();
      },
    };
  };
}

function isTimeout(thrown: unknown): boolean {
  return SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout;
}

function toAnswer({
  content,
  structuredContent,
  isError,
}: z.output<typeof answer>): UpstreamAnswer {
  return {
    isError,
    blocks: content.flatMap(toBlocks),
    ...(structuredContent !== undefined && { structured: structuredContent }),
  };
}

/** Converts a block from the server. The text of a resource or link becomes a text block. */
function toBlocks(from: z.output<typeof block>): UpstreamBlock[] {
  switch (from.type) {
    case "text":
      return [{ kind: "text", text: from.text }];
    case "image":
    case "audio":
      return [{ kind: from.type, data: from.data, mediaType: from.mimeType }];
    case "resource": {
      const { uri, mimeType, text, blob } = from.resource;
      if (blob === undefined) return [{ kind: "text", text: `${uri}\n${text ?? ""}` }];
      return [{ kind: "resource", uri, data: blob, mediaType: mimeType }];
    }
    case "resource_link": {
      const words = [from.title ?? from.name, from.uri, from.description];
      return [
        { kind: "link", uri: from.uri, mediaType: from.mimeType },
        { kind: "text", text: words.filter((word) => word !== undefined).join("\n") },
      ];
    }
  }
}
