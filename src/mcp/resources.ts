import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { callOf, contentTemplates } from "../core/tool/content-link.ts";

/** A tool's full documentation. */
export interface ToolPage {
  title: string;
  summary: string;
  /** Markdown. */
  documentation: string;
}

const prefix = "countersign://tools/";
const mimeType = "text/markdown";

/**
 * Serves the tools' documentation as resources. `tools/list` is short, and a model reads more at
 * `countersign://tools/NAME`.
 */
export function offerPages(
  server: Server,
  {
    offered,
    pages,
    call,
  }: {
    offered: (ctx: ServerContext) => Promise<readonly { name: string }[]>;
    pages: ReadonlyMap<string, ToolPage>;
    /** Reading a file or an attachment is a call, with the same policy and audit record. */
    call: (
      params: { name: string; arguments: Record<string, unknown> },
      ctx: ServerContext,
    ) => Promise<CallToolResult | InputRequiredResult>;
  },
): void {
  const listed = async (ctx: ServerContext): Promise<readonly (readonly [string, ToolPage])[]> =>
    (await offered(ctx)).flatMap(({ name }) => {
      const page = pages.get(name);
      return page === undefined ? [] : [[name, page] as const];
    });

  server.setRequestHandler("resources/list", async (_request, ctx) => ({
    resources: (await listed(ctx)).map(([name, { title, summary }]) => ({
      uri: prefix + name,
      name,
      title,
      description: summary,
      mimeType,
    })),
  }));

  server.setRequestHandler("resources/templates/list", async (_request, ctx) => {
    const names = new Set((await offered(ctx)).map(({ name }) => name));
    return {
      resourceTemplates: [
        {
          uriTemplate: `${prefix}{name}`,
          name: "tool",
          title: "A tool's documentation",
          description: "Risk, use, fields, errors and examples of one tool.",
          mimeType,
        },
        ...contentTemplates
          .filter(({ tool }) => names.has(tool))
          .map(({ tool, uriTemplate, title }) => ({ uriTemplate, title, name: tool })),
      ],
    };
  });

  server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
    const reading = callOf(uri);
    if (reading !== undefined) return contentsOf(uri, await call(reading, ctx));
    const page = (await listed(ctx)).find(([name]) => prefix + name === uri)?.[1];
    if (page === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType, text: page.documentation }] };
  });
}

const notCached = { ttlMs: 0, cacheScope: "private" } as const;

const pageOfContent = z.object({
  content: z.string(),
  encoding: z.enum(["utf-8", "base64"]),
  mediaType: z.string(),
  offset: z.number(),
  bytes: z.number(),
  totalBytes: z.number(),
  nextOffset: z.number().optional(),
});

const refusalText = z.object({
  content: z.tuple([z.object({ text: z.string() })]).rest(z.unknown()),
});

/** Returns one page and the address of the next one, because a resource may exceed a client's context. */
function contentsOf(uri: string, result: CallToolResult | InputRequiredResult): ReadResourceResult {
  const read = pageOfContent.safeParse("content" in result ? result.structuredContent : undefined);
  if (!read.success) {
    const words = refusalText.safeParse(result).data?.content[0].text;
    if (words?.startsWith("not_found") === true) throw new ResourceNotFoundError(uri);
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      words ?? "This needs approval: call the tool itself. Nothing was read.",
    );
  }
  const { content, encoding, mediaType, offset, bytes, totalBytes, nextOffset } = read.data;
  const isText = encoding === "utf-8";
  // Untrusted text reaches a model only between markers, which a resource cannot have.
  const page = isText
    ? { text: "This resource is text. Read it with the tool read_file or read_attachment." }
    : { blob: content };
  const next =
    nextOffset === undefined ? {} : { next: `${uri.split("?")[0]}?offset=${nextOffset}` };
  return {
    // A later page may belong to a newer version of the file.
    ...notCached,
    contents: [
      {
        uri,
        mimeType: isText ? "text/plain" : mediaType,
        ...page,
        _meta: { "dev.countersign/page": { offset, bytes, totalBytes, ...next } },
      },
    ],
  };
}
