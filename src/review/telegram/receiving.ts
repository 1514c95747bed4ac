import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChatEvent, Messenger } from "../../ports/people/messenger.ts";
import { Trouble } from "./back-off.ts";

/** A service that answers at once with nothing is not asked more often than this. Milliseconds. */
const leastRound = 1_000;

/**
 * Receives events and hands them on one by one, until the signal aborts. An event counts as received when it was dealt with:
 * what a store that is away made impossible is delivered again.
 */
export async function receiveEvents(settings: {
  messenger: Messenger;
  handle: (event: ChatEvent) => Promise<void>;
  log: Log;
  signal: AbortSignal;
}): Promise<void> {
  const { messenger, handle, log, signal } = settings;
  const trouble = new Trouble();
  let after: number | undefined;
  while (!signal.aborted) {
    const began = performance.now();
    let waitMs: number;
    try {
      const events = await messenger.receive(after);
      for (const event of events) {
        await dealtWith(event);
        after = event.eventId;
      }
      trouble.over(() => log.info("events of Telegram are received again"));
      waitMs = events.length > 0 ? 0 : began + leastRound - performance.now();
    } catch (cause) {
      if (signal.aborted) return;
      waitMs = trouble.failed(cause, () => {
        const hint = cause instanceof ToolError ? cause.hint : undefined;
        log.warn("what is pressed in Telegram does not arrive at the moment", {
          cause,
          ...(hint !== undefined && { hint }),
        });
      });
    }
    if (waitMs > 0) await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** One that can never be dealt with must not stand before all others. */
  async function dealtWith(event: ChatEvent): Promise<void> {
    try {
      await handle(event);
    } catch (cause) {
      if (cause instanceof ToolError && cause.retryable) throw cause;
      log.error("an event of Telegram could not be dealt with", { cause });
    }
  }
}
