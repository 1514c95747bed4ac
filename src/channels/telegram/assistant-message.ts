import { withoutInvisible } from "../../core/shared/text/clean-text.ts";
import type { MessengerMessage } from "../../ports/people/messenger.ts";
import { plainText } from "./plain-text.ts";

/**
 * Formats a text that the assistant wrote. The first line is ours, and the text is quoted, so that it cannot pass for a
 * message of this program.
 */
export function assistantMessage(head: string, text: string): MessengerMessage {
  const value = withoutInvisible(text).trim();
  return { ...plainText([head, "", { label: "", value }]), buttons: [] };
}
