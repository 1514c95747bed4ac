import { mayLoseDigits, parseExactly } from "../../core/shared/text/exact-json.ts";
import { isData } from "../../core/shared/data.ts";

/**
 * Parses the text of a message. The long numbers of a call's structured content become text, because they would lose
 * digits. Other numbers stay, such as limits in the schemas of tools.
 * @throws SyntaxError
 */
export function parseMessage(text: string): unknown {
  const message: unknown = JSON.parse(text);
  if (!text.includes('"structuredContent"') || !mayLoseDigits(text)) return message;
  return withStructuredOf(message, parseExactly(text));
}

/** Returns the text of a message whose reader parses it on its own. */
export function exactText(text: string): string {
  if (!text.includes('"structuredContent"') || !mayLoseDigits(text)) return text;
  try {
    return JSON.stringify(parseMessage(text));
  } catch {
    // The reader reports the fault.
    return text;
  }
}

/** Returns messages with the structured content of the same messages, which were read in another way. */
function withStructuredOf(message: unknown, exact: unknown): unknown {
  if (Array.isArray(message) && Array.isArray(exact))
    return message.map((each: unknown, index) => withStructuredOf(each, exact[index]));
  if (!isData(message) || !isData(exact)) return message;
  const { result } = message;
  const { result: read } = exact;
  if (!isData(result) || !isData(read) || !("structuredContent" in result)) return message;
  return { ...message, result: { ...result, structuredContent: read["structuredContent"] } };
}
