import { GrammyError } from "grammy/web";
import { ToolError } from "../../core/tool/tool-error.ts";

/** Longer waits are shortened, because the next attempt shows the current state. Seconds. */
const maxWaitSeconds = 3_600;

/** Network failures from before any byte of the request was sent. */
const notSent = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/**
 * Converts an error of Telegram or grammY to ours. URLs contain the token and errors quote URLs, so only
 * the texts are kept, without the token.
 * @param isClosed the request was aborted by `close`
 */
export function telegramError(thrown: unknown, token: string, isClosed: boolean): ToolError {
  const texts = chain(thrown).map(({ message }) => message);
  const cause = new Error(
    [token, encodeURIComponent(token)].reduce(
      (text, secret) => text.replaceAll(secret, "[token]"),
      texts.join(": ") || "no reason given",
    ),
  );
  if (isClosed)
    return new ToolError("cancelled", "Telegram is closed.", {
      cause,
      sideEffects: "unknown",
    });
  if (thrown instanceof GrammyError) return refusal(thrown, cause);
  const wasSent = !chain(thrown).some((error) => "code" in error && isOneOf(notSent, error.code));
  return new ToolError("unavailable", "Telegram could not be reached.", {
    cause,
    sideEffects: wasSent ? "unknown" : "none",
  });
}

function refusal({ error_code: code, description, parameters }: GrammyError, cause: Error) {
  switch (code) {
    case 401:
    case 404:
      return new ToolError("auth", "Telegram refused the bot's token.", {
        hint: "Check TELEGRAM_BOT_TOKEN.",
        cause,
      });
    case 403:
      return new ToolError("not_configured", "The bot may not write to the chat.", {
        hint: "Open the bot in Telegram and press Start. Unblock it if it is blocked.",
        cause,
      });
    case 409:
      return conflict(description, cause);
    case 429:
      return new ToolError("rate_limited", "Telegram limits the rate of requests.", {
        retryAfterSeconds: Math.min(Math.max(1, parameters.retry_after ?? 1), maxWaitSeconds),
        cause,
      });
    default:
      if (code >= 500)
        return new ToolError("unavailable", "Telegram failed.", { cause, sideEffects: "unknown" });
      return /chat not found/i.test(description)
        ? new ToolError("not_configured", "The bot does not know the chat.", {
            hint: "Check TELEGRAM_CHAT_ID. Then open the bot in Telegram and press Start.",
            cause,
          })
        : new ToolError("invalid_input", "Telegram did not accept the message.", { cause });
  }
}

function conflict(description: string, cause: Error): ToolError {
  return /webhook/i.test(description)
    ? new ToolError("conflict", "The bot sends its events to a webhook of another program.", {
        hint: "Use a bot of its own for Countersign, or delete the webhook (deleteWebhook).",
        cause,
      })
    : new ToolError("conflict", "Another program receives this bot's events.", {
        hint: "Use a bot of its own for Countersign, or stop the other program.",
        cause,
      });
}

/** Returns the error and its causes. grammY keeps them in `error`, Node in `cause`. */
function chain(thrown: unknown): Error[] {
  const found: Error[] = [];
  let next = thrown;
  while (next instanceof Error && found.length < 5) {
    found.push(next);
    next = "error" in next ? next.error : next.cause;
  }
  return found;
}

function isOneOf(values: readonly string[], value: unknown): boolean {
  return typeof value === "string" && values.includes(value);
}
