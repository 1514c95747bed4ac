import type { Documentation } from "../../core/tool/documentation.ts";

const pages =
  "Offsets count bytes of the stored text. When `truncated` is true, call again with `offset` set to `nextOffset`; the pages join to the whole, to the byte.";

export const emailDocumentation: Readonly<Record<string, Documentation>> = {
  search_emails: {
    notes: [
      "Searches subject, sender, summary, body and the text of attachments of the mail that was forwarded to this server. It sees no other mailbox. All words must occur; the last one also matches as the beginning of a word. Text without spaces (Chinese, Japanese, Korean, Thai) is found too.",
      'As in Gmail, `query` takes "phrases", `from:`, `to:` (Cc too), `subject:`, `has:attachment`, `filename:` (the beginning of a word in the name of an attachment, such as `pdf`), `after:` and `before:` a day, `newer_than:` and `older_than:` a time like `7d`, `2m` or `1y`, `-` before what must not be, `OR` between any two of these, `(groups)` and `{alternatives}`. Operators it does not know, such as `is:` or `label:`, are searched as words, and `notices` says so. Accents, vowel points and case do not matter; `ß` is `ss`.',
      "Without a query the newest messages come first. `pending` counts messages that have arrived and cannot be found yet. `total` says how many match in all; nothing is cut silently, `nextCursor` leads on.",
      "`foundIn` names the first attachment whose text has words of the query; `snippet` is of it if the message itself has none. Of the attachments of one message 500 kB of text are searched.",
      "`summary` and `snippet` are short. Use `read_email` before you rely on what a message says.",
    ],
    errors: {
      invalid_input: "A date is no ISO 8601, or the cursor belongs to another search: start again.",
    },
    examples: [
      { asks: "Anything new?", arguments: {} },
      {
        asks: "The invoice that Ann sent in March",
        arguments: {
          query: "invoice",
          from: "ann",
          after: "2026-03-01",
          before: "2026-04-01",
          hasAttachment: true,
        },
      },
    ],
  },
  read_email: {
    notes: [
      "Gives the readable text of one message: HTML is converted, links are kept, invisible text is removed and counted. What is new comes first; what the message repeats of earlier ones comes last, behind `[Earlier messages, quoted:]`.",
      `${pages} Attachments are listed with their ids and read with \`read_attachment\`.`,
      "A sender whose `source` is `forwarded` is known only from the message that the user forwarded. `authentication` is about who sent the message here, so of a forwarded one about the forwarder: `aligned`, its domain vouches for it; `unverified`, nobody can say; `failed`, the domain does not know it: do not take the sender for who it claims to be.",
    ],
    errors: { not_found: "There is no such message: search again and use an id from the answer." },
    examples: [
      {
        asks: "Read it to me",
        arguments: { emailId: "em_aaaaaaaaaaaaaaaaaaaaaaaaaa" },
      },
    ],
  },
  read_attachment: {
    notes: [
      "Gives the text of an attachment where text can be extracted, otherwise its bytes in base64. Of a binary over 12 kB it gives size and type, and a link that client programs read in pages; pass `offset` 0 to get its bytes all the same.",
      pages,
    ],
    errors: {
      not_found: "The message has no such attachment: `read_email` lists those that it has.",
    },
    examples: [
      {
        asks: "What does the attached PDF say?",
        arguments: { emailId: "em_aaaaaaaaaaaaaaaaaaaaaaaaaa", attachmentId: "1" },
      },
    ],
  },
};
