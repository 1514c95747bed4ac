import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { Trouble } from "./back-off.ts";
import type { Chat } from "./people.ts";

/** Returns a function that notifies one chat after the other. A failing chat is paused and delays no other. */
export function eachChat(
  chats: readonly Chat[],
  tell: (chat: Chat) => Promise<void>,
  { log, lost, found }: { log: Log; lost: string; found: string },
): () => Promise<void> {
  const lines = chats.map((chat) => ({ chat, trouble: new Trouble(), quietUntil: 0 }));
  return async () => {
    for (const line of lines) {
      if (performance.now() < line.quietUntil) continue;
      const { chatId } = line.chat;
      try {
        await tell(line.chat);
        line.trouble.over(() => log.info(found, { chat: chatId }));
      } catch (cause) {
        const waitMs = line.trouble.failed(cause, () => {
          const hint = cause instanceof ToolError ? cause.hint : undefined;
          log.warn(lost, { chat: chatId, cause, ...(hint !== undefined && { hint }) });
        });
        line.quietUntil = performance.now() + waitMs;
      }
    }
  };
}

/** Sends a message. A rejected message is logged and not repeated, because it would be rejected again. */
export async function unlessRefused<T>(log: Log, send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (cause) {
    if (!(cause instanceof ToolError) || cause.kind !== "invalid_input") throw cause;
    log.error("Telegram rejected a message; use another approval channel", {
      cause,
    });
    return undefined;
  }
}

/** Returns whether a message did not leave, and may be sent again. */
export function wasSurelyNotSent(error: unknown): boolean {
  return (
    error instanceof ToolError && error.sideEffects === "none" && error.kind !== "invalid_input"
  );
}
