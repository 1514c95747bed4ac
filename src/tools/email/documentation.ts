import type { Documentation } from "../../core/tool/documentation.ts";

const pages =
  "Offsets count bytes of the stored text. If `truncated` is true, call again with `offset` set to `nextOffset`. All pages together are the whole text.";

export const emailDocumentation: Readonly<Record<string, Documentation>> = {
  search_emails: {
    notes: [
      "Searches subject, sender, summary, body and attachment text of the mail that was forwarded to this server. No other mailbox is searched. All words must occur. The last one also matches the beginning of a word. Text without spaces (Chinese, Japanese, Korean, Thai) is found too.",
      'As in Gmail, `query` accepts "phrases", `from:`, `to:` (Cc too), `subject:`, `has:attachment`, `filename:` (the beginning of a word in an attachment\'s name, such as `pdf`), `after:` and `before:` a day, `newer_than:` and `older_than:` a time like `7d`, `2m` or `1y`, `-` before an excluded term, `OR` between any two of these, `(groups)` and `{alternatives}`. Unknown operators, such as `is:` or `label:`, are searched as words, and `notices` says so. Accents, vowel points and case do not matter. `ß` is `ss`.',
      "Without a query the newest messages come first. `pending` counts messages that have arrived and are not yet searchable. `total` is the number of all matches. `nextCursor` returns the next page.",
      "`foundIn` names the first attachment whose text has words of the query, or whose name matches `filename:`. `snippet` is from that attachment if the message's own text has no such words. At most 500 kB of attachment text are searched per message.",
      "`summary` and `snippet` are short. Use `read_email` before you rely on what a message says.",
    ],
    errors: {
      invalid_input:
        "A date is not ISO 8601, or the cursor belongs to another search. Start again.",
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
      "Returns the readable text of one message. HTML is converted, links are kept, and invisible text is removed and counted. New text comes first. Quoted earlier messages come last, after `[Earlier messages, quoted:]`.",
      `${pages} Attachments are listed with their ids and read with \`read_attachment\`.`,
      "One-time codes, sign-in links, reset links and recovery keys are replaced by `[hidden: sign-in code]`, and `hidden` counts them. Only the user can see them, in a terminal.",
      "A sender whose `source` is `forwarded` is known only from the message that the user forwarded. `authentication` is about the sender of this message. For a forwarded message, that is the forwarder. `aligned`: its domain authenticates the message. `unverified`: unknown. `failed`: its domain rejects the message, so do not trust the sender's address.",
    ],
    errors: {
      not_found: "The message does not exist. Search again and use an id from the results.",
    },
    examples: [
      {
        asks: "Read it to me",
        arguments: { emailId: "em_aaaaaaaaaaaaaaaaaaaaaaaaaa" },
      },
    ],
  },
  read_attachment: {
    notes: [
      "Returns the text of an attachment if text can be extracted, otherwise its bytes in base64. For a binary attachment over 12 kB it returns size, type and a link that client programs read in pages. Pass `offset` 0 to get the bytes instead.",
      pages,
    ],
    errors: {
      not_found: "The message has no such attachment. `read_email` lists its attachments.",
    },
    examples: [
      {
        asks: "What does the attached PDF say?",
        arguments: { emailId: "em_aaaaaaaaaaaaaaaaaaaaaaaaaa", attachmentId: "1" },
      },
    ],
  },
};
