import type { Documentation } from "../../core/tool/documentation.ts";

const keys =
  "Keys look like `notes/plan.md`: letters, digits and `. _ - /`, at most 512 characters. Keys are names in this server's own store, not paths on the user's disk.";
const noFile = "The file does not exist. `list_files` lists the files.";

export const filesDocumentation: Readonly<Record<string, Documentation>> = {
  list_files: {
    notes: [
      `${keys} \`prefix\` is compared from the beginning of the key, so \`notes/\` lists what is under notes.`,
      "`nextCursor` is present if there are more files. Pass it as `cursor` with the same prefix.",
    ],
    errors: { invalid_input: "The cursor belongs to another prefix. Start again without it." },
    examples: [{ asks: "Which notes are there?", arguments: { prefix: "notes/" } }],
  },
  read_file: {
    notes: [
      "Text is returned as UTF-8, other content in base64. For a binary file over 12 kB you get size, type and a link that client programs read in pages. Pass `offset` 0 to get its bytes instead. Offsets count bytes. If `truncated` is true, call again with `offset` set to `nextOffset`.",
      "Before you change a file that you read, pass its `etag` as `ifMatch` to `write_file`.",
    ],
    errors: {
      not_found: noFile,
      invalid_input: "The offset is beyond the end, or the key is not valid.",
    },
    examples: [{ asks: "Open my plan", arguments: { key: "notes/plan.md" } }],
  },
  search_files: {
    notes: [
      'Searches the words of text files, PDF, Word and HTML documents, and of file names. The query language is that of `search_emails`: words, "phrases", `OR`, `-not`, brackets, `subject:` for the file name, `filename:`, `after:`, `before:`, `newer_than:` and `older_than:` for the last change. The last word may be a beginning.',
      "A search first indexes changed files, for some seconds at most. `pending` counts the files that remain. Search again later to include them.",
      "Of a document over 25 MB, only the name is searchable.",
    ],
    errors: { invalid_input: "The cursor belongs to another query. Start again without it." },
    examples: [{ asks: "Where did I note the boiler's number?", arguments: { query: "boiler" } }],
  },
  write_file: {
    notes: [
      `Creates or replaces a whole file, at most 1 MiB. ${keys}`,
      "The replaced version is kept until `undoUntil`, so that the user can restore it. Tell the user what was written.",
      "`ifMatch` replaces only the version that you read. `createOnly` never replaces.",
    ],
    errors: {
      conflict:
        "The file already exists (`createOnly`) or is another version (`ifMatch`). Read it first.",
      too_large: "More than 1 MiB. Nothing was written. Write several files.",
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
      "The deleted file is kept until `undoUntil`, so that the user can restore it.",
    ],
    errors: {
      not_found: noFile,
      conflict:
        "The file changed after the user saw the request. Call again to open a new request.",
    },
    examples: [{ asks: "Delete the old plan", arguments: { key: "notes/plan.md" } }],
  },
};
