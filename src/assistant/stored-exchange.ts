import type { ChatMessage } from "../ports/people/chat-model.ts";
import { cut } from "../core/shared/text/clean-text.ts";
import { likelyTokens } from "../core/shared/tokens.ts";

/** Limit on characters of one text in the history. The model can request a longer result again. */
const maxStoredText = 6_000;
/**
 * Limit on the characters of question and answer if the whole exchange is too long. Even in the scripts with most tokens, both
 * fit the limit.
 */
const maxShortText = 3_000;

/** One question with its answer, as it is stored. */
export interface StoredExchange {
  messages: readonly ChatMessage[];
  tokens: number;
}

/**
 * Returns an exchange within a number of tokens, because each later question sends it again. Long texts are shortened.
 * If that is not enough, question and last answer are stored without the calls between them.
 */
export function storedExchange(
  exchange: readonly ChatMessage[],
  maxTokens: number,
): StoredExchange {
  const whole = measured(exchange.map(shortened));
  if (whole.tokens <= maxTokens) return whole;
  const [question, ...rest] = exchange;
  const answer = rest.findLast(({ role }) => role === "assistant");
  const text = answer?.role === "assistant" ? answer.text : "";
  const last: ChatMessage = { role: "assistant", text, calls: [] };
  return measured([...(question ? [question] : []), last].map(short));
}

function measured(messages: readonly ChatMessage[]): StoredExchange {
  return { messages, tokens: likelyTokens(JSON.stringify(messages)) };
}

function short(message: ChatMessage): ChatMessage {
  return message.role === "tools"
    ? message
    : { ...message, text: shortText(message.text, maxShortText) };
}

/** Drops a long result completely, because a part of it would lose the end marker. */
function shortened(message: ChatMessage): ChatMessage {
  switch (message.role) {
    case "user":
      return { ...message, text: shortText(message.text, maxStoredText) };
    case "assistant":
      return {
        ...message,
        text: shortText(message.text, maxStoredText),
        calls: message.calls.map((call) => ({ ...call, args: shortArguments(call.args) })),
      };
    case "tools":
      return {
        ...message,
        results: message.results.map((result) =>
          result.text.length <= maxStoredText
            ? result
            : {
                ...result,
                text: `[A result of ${result.text.length} characters, not stored. Call ${result.tool} again if you need it.]`,
              },
        ),
      };
  }
}

function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${cut(text, most)} [${text.length} characters, of which the rest is not stored.]`;
}

function shortArguments(args: unknown): unknown {
  const { length } = JSON.stringify(args) ?? "";
  return length <= maxStoredText ? args : { not_kept: `${length} characters` };
}
