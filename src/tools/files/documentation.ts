import type { Documentation } from "../../core/tool/documentation.ts";

const keys =
  "Keys look like `notes/plan.md`: letters, digits and `. _ - /`, at most 512 characters. They are names in this server's own store and never paths on the user's disk.";
const noFile = "There is no such file: `list_files` shows what there is.";

export const filesDocumentation: Readonly<Record<string, Documentation>> = {
  list_files: {
    notes: [
      `${keys} \`prefix\` is compared from the beginning of the key, so \`notes/\` lists what is under notes.`,
      "`nextCursor` is there when there are more; pass it as `cursor` with the same prefix.",
    ],
    errors: { invalid_input: "The cursor belongs to another prefix: start again without it." },
    examples: [{ asks: "Which notes are there?", arguments: { prefix: "notes/" } }],
  },
  read_file: {
    notes: [
      "Text comes as UTF-8, anything else in base64. Of a binary over 12 kB you get size and type, and a link that client programs read in pages; pass `offset` 0 to get its bytes all the same. Offsets count bytes; when `truncated` is true, call again with `offset` set to `nextOffset`.",
      "Pass `etag` as `ifMatch` to `write_file` when you are about to change what you read.",
    ],
    errors: {
      not_found: noFile,
      invalid_input: "The offset lies beyond the end, or the key has a form that no file has.",
    },
    examples: [{ asks: "Open my plan", arguments: { key: "notes/plan.md" } }],
  },
  write_file: {
    notes: [
      `Creates a file or replaces all of it, at most 1 MiB. ${keys}`,
      "What is replaced is kept for a while: `undoUntil` says how long the user can bring it back. Tell the user what was written.",
      "`ifMatch` replaces only the version that you have read; `createOnly` never replaces.",
    ],
    errors: {
      conflict:
        "The file is there already (`createOnly`) or is another version (`ifMatch`): read it first.",
      too_large: "More than 1 MiB: nothing was written; write several files.",
    },
    examples: [
      {
        asks: "Note that down",
        arguments: { key: "notes/plan.md", content: "# Plan\n", mediaType: "text/markdown" },
      },
    ],
  },
  delete_file: {
    notes: [
      `Deletes one file. ${keys}`,
      "The file is kept for a while after it was deleted: `undoUntil` says how long the user can bring it back.",
    ],
    errors: {
      not_found: noFile,
      conflict: "The file changed after the user saw what was asked: call again to ask anew.",
    },
    examples: [{ asks: "Delete the old plan", arguments: { key: "notes/plan.md" } }],
  },
};
