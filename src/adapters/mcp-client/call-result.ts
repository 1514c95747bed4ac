import type { UpstreamResult, UpstreamBlock } from "../../ports/upstream/upstream-server.ts";
import { type Data, isData } from "../../core/shared/data.ts";

/**
 * Reads the result of `tools/call`, without the server's `_meta`. Undefined for a result in another form, and for the
 * start of a task (2025-11-25), which does not say that the call was done. A zod schema would be too slow, because
 * every call needs this function.
 */
export function readCallResult(result: Data): UpstreamResult | undefined {
  // Servers in other languages write null for an absent field.
  const content = result["content"] ?? [];
  const task = result["task"] ?? undefined;
  if (!Array.isArray(content) || (task !== undefined && content.length === 0)) return undefined;
  const { isError } = result;
  const structured = result["structuredContent"] ?? undefined;
  return {
    // Some servers write the text "true".
    isError: isError === true || isError === "true",
    blocks: readBlocks(content),
    ...(structured !== undefined && { structured }),
  };
}

/** Blocks that stay apart. A result of 10 MB can have 300 000, and each costs time of other calls. */
const maxApart = 1_000;

/** Reads blocks in their order. Beyond the limit, texts are joined, and one block stays of each other kind. */
function readBlocks(content: readonly unknown[]): UpstreamBlock[] {
  if (content.length <= maxApart) return content.flatMap(toBlocks);
  const blocks = content.slice(0, maxApart).flatMap(toBlocks);
  const texts: string[] = [];
  const kinds = new Set<string>();
  for (let at = maxApart; at < content.length; at += 1)
    for (const block of toBlocks(content[at])) {
      if (block.kind === "text") texts.push(block.text);
      else if (!kinds.has(block.kind)) blocks.push(block);
      if (block.kind !== "text") kinds.add(block.kind);
    }
  return texts.length === 0 ? blocks : [...blocks, { kind: "text", text: texts.join("\n") }];
}

/** An invalid block does not make the rest of the result invalid. */
const unknown: UpstreamBlock[] = [{ kind: "unknown" }];

/** Converts a block from the server. The text of a resource or link becomes a text block. */
function toBlocks(block: unknown): UpstreamBlock[] {
  if (!isData(block)) return unknown;
  const { type, text, data, mimeType, resource } = block;
  switch (type) {
    case "text":
      return typeof text === "string" ? [{ kind: "text", text }] : unknown;
    case "image":
    case "audio":
      return typeof data === "string" && typeof mimeType === "string"
        ? [{ kind: type, data, mediaType: mimeType }]
        : unknown;
    case "resource":
      return isData(resource) ? toResource(resource) : unknown;
    case "resource_link":
      return toLink(block);
    default:
      return unknown;
  }
}

function toResource(resource: Data): UpstreamBlock[] {
  const { uri } = resource;
  const texts = optionalTexts(resource, ["mimeType", "text", "blob"]);
  if (typeof uri !== "string" || texts === undefined) return unknown;
  const [mediaType, text, blob] = texts;
  if (blob === undefined) return [{ kind: "text", text: `${uri}\n${text ?? ""}` }];
  return [{ kind: "resource", uri, data: blob, mediaType }];
}

function toLink(link: Data): UpstreamBlock[] {
  const { uri } = link;
  const texts = optionalTexts(link, ["mimeType", "name", "title", "description"]);
  if (typeof uri !== "string" || texts === undefined) return unknown;
  const [mediaType, name, title, description] = texts;
  const words = [title ?? name, uri, description];
  return [
    { kind: "link", uri, mediaType },
    { kind: "text", text: words.filter((word) => word !== undefined).join("\n") },
  ];
}

/** Returns the texts of these fields. Undefined if one of them has another type. */
function optionalTexts(from: Data, fields: readonly string[]): (string | undefined)[] | undefined {
  const texts: (string | undefined)[] = [];
  for (const field of fields) {
    const text = from[field] ?? undefined;
    if (text !== undefined && typeof text !== "string") return undefined;
    texts.push(text);
  }
  return texts;
}
