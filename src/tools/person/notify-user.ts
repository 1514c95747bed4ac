import { z } from "zod";
import { cut } from "../../core/shared/text/clean-text.ts";
import { shownValue } from "../../core/shared/text/visible.ts";
import { defineTool } from "../../ports/define-tool.ts";

const maxCharacters = 2_000;

export const notifyUser = defineTool({
  name: "notify_user",
  title: "Notify the user",
  description: "Send the user a Telegram message, in plain text.",
  risk: "medium",
  operation: "adds",
  openWorld: true,
  // The text goes only to the caller's own chat, and not to a third party.
  sends: false,
  needs: ["ownChat"],
  input: z.strictObject({
    text: z
      .string()
      .max(maxCharacters)
      .regex(/\S/, { error: "contains no text" })
      .describe("At most 2 000 characters"),
  }),
  output: z.object({ sent: z.literal(true).describe("Telegram has it") }),
  execute: async ({ text }, { ports, principal }) => {
    await ports.ownChat.send(principal, text);
    return { sent: true as const };
  },
  text: () => ({ facts: "Sent to the user's Telegram chat." }),
  mentions: ["text"],
  describe: ({ text }, output) =>
    `${output === undefined ? "send" : "sent"} you the message ${shownValue(cut(text, 80))}`,
  report: () => "sent you a message in Telegram",
});
