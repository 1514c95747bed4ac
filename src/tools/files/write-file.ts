import { z } from "zod";
import { cut } from "../../core/shared/text/clean-text.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import { ours } from "../../core/tool/untrusted-text.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { beyondSpace, noSpaceLeft } from "../undo-space.ts";
import { fileKey } from "./file-key.ts";
import { formatAge, formatSize } from "../../core/shared/text/format.ts";
import { defaultMediaType } from "./media-type.ts";

/** Bytes per call. Larger files can only come from other programs. */
const maxFileBytes = 1_048_576;
/** `maxFileBytes` in base64, with some line breaks. Characters. */
const maxContentCharacters = 1_500_000;

export const writeFile = defineTool({
  name: "write_file",
  title: "Write a file",
  description: "Create or replace a file.",
  risk: "medium",
  operation: "changes",
  idempotent: true,
  needs: ["files"],
  actsOn: ({ key }) => key,
  input: z.strictObject({
    key: fileKey,
    content: z.string().max(maxContentCharacters).describe("At most 1 MiB"),
    encoding: z.enum(["utf-8", "base64"]).default("utf-8").describe("Of content"),
    mediaType: z
      .string()
      .max(200)
      .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w.+-]+=[\w.+"-]+)*$/, {
        error: "must be like text/plain",
      })
      .optional()
      .describe("Like text/markdown"),
    ifMatch: z.string().max(200).optional().describe("Replace only this version"),
    createOnly: z.boolean().default(false).describe("Never replace"),
  }),
  output: z.object({
    key: ours(z.string()).describe("The file's key"),
    bytes: z.int().describe("Size"),
    etag: ours(z.string()).describe("Its new version"),
    created: z.boolean().describe("False if a file was replaced"),
    undoUntil: ours(z.string()).optional().describe("When undo ends"),
  }),
  prepare: async (args, { ports, principal, signal }) => {
    const bytes = decoded(args.content, args.encoding);
    const mediaType = args.mediaType ?? defaultMediaType(args.encoding);
    const before = await ports.files.stat(args.key, { signal });
    if (args.createOnly && before !== undefined) {
      throw new ToolError("conflict", `The file ${args.key} already exists. Nothing was written.`, {
        hint: "Leave createOnly out to replace it, or choose another key.",
      });
    }
    if (args.ifMatch !== undefined && args.ifMatch !== before?.etag) {
      const state = before === undefined ? "There is no such file." : `Its etag is ${before.etag}.`;
      throw new ToolError(
        "conflict",
        `${args.key} is not the version that ifMatch names. Nothing was written.`,
        { hint: `${state} Read it before you write.` },
      );
    }
    const isKept = before === undefined || (await ports.files.keepsMore(principal, before.bytes));
    // A default media type is left out, because dialogs cut a long first line in the name.
    const kind = args.mediaType === undefined ? "" : ` of ${cut(mediaType, 60)}`;
    const after = `${formatSize(bytes.length)}${kind}`;
    const file = shownName(args.key);
    const headline =
      before === undefined
        ? `Create the file ${file} with ${after}`
        : `Replace ${file}, ${formatSize(before.bytes)}, changed ${formatAge(before.modifiedAt, new Date())}, with ${after}`;
    return {
      args: { ...args, mediaType },
      ...(!isKept && { onlyPerson: noSpaceLeft }),
      ...(before !== undefined && { version: before.etag }),
      effect: {
        headline,
        mentions: [
          "key",
          "mediaType",
          "createOnly",
          ...(args.encoding === "utf-8" ? (["encoding"] as const) : []),
        ],
        facts: isKept ? [] : [beyondSpace(before.bytes)],
        forClient: "all",
      },
    };
  },
  execute: async ({ key, content, encoding, mediaType }, context) => {
    const { ports, principal, callId, version, isDecided, mailsRead, signal } = context;
    const emailIds = (await mailsRead?.()) ?? [];
    const { facts, created, undoUntil } = await ports.files.write(key, decoded(content, encoding), {
      mediaType: mediaType ?? defaultMediaType(encoding),
      origin: { writtenBy: "assistant", emailIds },
      replaces: version,
      by: { principal, callId, isDecided },
      signal,
    });
    return {
      key,
      bytes: facts.bytes,
      etag: facts.etag,
      created,
      ...(undoUntil !== undefined && { undoUntil: undoUntil.toISOString() }),
    };
  },
  similar: ({ key, encoding, mediaType, createOnly }) => ({
    key: key.includes("/") ? { in: key.slice(0, key.lastIndexOf("/") + 1) } : { is: key },
    content: "any",
    encoding: { is: encoding },
    mediaType: mediaType === undefined ? "absent" : { is: mediaType },
    ifMatch: "any",
    createOnly: { is: createOnly },
  }),
  text: ({ key, bytes, etag, created, undoUntil }) => ({
    facts: `${created ? "Created" : "Replaced"} ${key} (${formatSize(bytes)}, etag ${etag}).${
      undoUntil === undefined ? "" : ` The old file is kept until ${undoUntil}.`
    }`,
  }),
  mentions: ["key"],
  describe: ({ key }, output) =>
    output === undefined
      ? `write ${key}`
      : `${output.created ? "wrote" : "replaced"} ${key}, ${formatSize(output.bytes)}${
          output.undoUntil === undefined ? "" : `, undo until ${output.undoUntil}`
        }`,
});

/**
 * Decodes the bytes to write.
 * @throws {ToolError} `invalid_input` for text that is not base64, `too_large` for more than 1 MiB
 */
function decoded(content: string, encoding: "utf-8" | "base64"): Uint8Array {
  const bytes = Buffer.from(content, encoding);
  // Line breaks are removed first. A single regular expression for both would backtrack over long runs of them.
  if (encoding === "base64" && !/^[A-Za-z0-9+/]*={0,2}$/.test(content.replaceAll(/\s/g, ""))) {
    throw new ToolError("invalid_input", "content: not valid base64. Nothing was written.");
  }
  if (bytes.length <= maxFileBytes) return bytes;
  throw new ToolError(
    "too_large",
    `content: ${bytes.length} bytes exceed the limit of ${maxFileBytes} per call. Nothing was written.`,
  );
}
