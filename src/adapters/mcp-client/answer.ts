import { z } from "zod";
import type { UpstreamAnswer, UpstreamBlock } from "../../ports/upstream/upstream-server.ts";

/** Servers in other languages write null for an absent field. */
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const block = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({
      uri: z.string(),
      mimeType: optionalText,
      text: optionalText,
      blob: optionalText,
    }),
  }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    mimeType: optionalText,
    name: optionalText,
    title: optionalText,
    description: optionalText,
  }),
  // A block of an unknown type must not make the rest of the result invalid.
  z.unknown().transform(() => ({ type: "unknown" as const })),
]);

/** The result of `tools/call`. */
export const answer = z.looseObject({
  content: z
    .array(block)
    .nullish()
    .transform((blocks) => blocks ?? []),
  structuredContent: z
    .unknown()
    .optional()
    .transform((data) => data ?? undefined),
  // Some servers write the text "true".
  isError: z
    .unknown()
    .optional()
    .transform((failed) => failed === true || failed === "true"),
});

/** Returns true for the start of a task (2025-11-25), which does not say that the call was done. */
export function startsTask({ task, content }: z.output<typeof answer>): boolean {
  return task !== undefined && task !== null && content.length === 0;
}

/** Converts a result, without the server's `_meta`. */
export function toAnswer({
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
    case "unknown":
      return [{ kind: "unknown" }];
  }
}
