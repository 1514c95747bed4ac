import { z } from "zod";
import { shownName } from "../../core/shared/text/visible.ts";
import { ours } from "../../core/tool/untrusted-text.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { beyondSpace, noSpaceLeft } from "../undo-space.ts";
import { fileKey } from "./file-key.ts";
import { formatAge, formatSize } from "../../core/shared/text/format.ts";

export const deleteFile = defineTool({
  name: "delete_file",
  title: "Delete a file",
  description: "Delete a file. The user is asked; repeat the call once approved.",
  risk: "high",
  operation: "removes",
  needs: ["files"],
  actsOn: ({ key }) => key,
  input: z.strictObject({ key: fileKey }),
  output: z.object({
    key: ours(z.string()).describe("The file's key"),
    deleted: z.literal(true).describe("Always true"),
    undoUntil: ours(z.string()).optional().describe("When undo ends"),
  }),
  prepare: async ({ key }, { ports, principal, signal }) => {
    const file = await ports.files.stat(key, { signal });
    if (file === undefined) throw notFound(key);
    const isKept = await ports.files.keepsMore(principal, file.bytes);
    return {
      version: file.etag,
      ...(!isKept && { onlyPerson: noSpaceLeft }),
      effect: {
        headline: `Delete the file ${shownName(key)}, ${formatSize(file.bytes)}, changed ${formatAge(file.modifiedAt, new Date())}`,
        mentions: ["key"],
        facts: isKept ? [] : [beyondSpace(file.bytes)],
        forClient: "all",
      },
    };
  },
  execute: async ({ key }, { ports, principal, callId, version, isDecided, signal }) => {
    if (version === undefined) throw notFound(key);
    const by = { principal, callId, isDecided };
    const { undoUntil } = await ports.files.remove(key, { ifMatch: version, by, signal });
    return { key, deleted: true as const, undoUntil: undoUntil.toISOString() };
  },
  text: ({ key, undoUntil }) => ({
    facts: `Deleted ${key}.${undoUntil === undefined ? "" : ` It is kept until ${undoUntil}.`}`,
  }),
  mentions: ["key"],
  describe: ({ key }, output) => {
    if (output === undefined) return `delete ${key}`;
    return `deleted ${key}${output.undoUntil === undefined ? "" : `, undo until ${output.undoUntil}`}`;
  },
});

function notFound(key: string): ToolError {
  return new ToolError("not_found", `The file ${key} does not exist. Nothing was deleted.`, {
    hint: "list_files lists the files.",
  });
}
