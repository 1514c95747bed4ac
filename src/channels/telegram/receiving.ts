import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChatEvent, Messenger } from "../../ports/people/messenger.ts";
import { Trouble } from "./back-off.ts";

/** The shortest time between two requests for events. Milliseconds. */
const leastRoundMs = 1_000;

/**
 * Receives events and passes them on one by one until the signal aborts. An event is confirmed after it was processed.
 * If a store was unavailable, it is delivered again.
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
      trouble.over(() => log.info("receiving Telegram events works again"));
      waitMs = events.length > 0 ? 0 : began + leastRoundMs - performance.now();
    } catch (cause) {
      if (signal.aborted) return;
      waitMs = trouble.failed(cause, () => {
        const hint = cause instanceof ToolError ? cause.hint : undefined;
        log.warn("receiving Telegram events failed; button presses do not arrive", {
          cause,
          ...(hint !== undefined && { hint }),
        });
      });
    }
    if (waitMs > 0) await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Processes one event. An event that always fails must not block the others. */
  async function dealtWith(event: ChatEvent): Promise<void> {
    try {
      await handle(event);
    } catch (cause) {
      if (cause instanceof ToolError && cause.retryable) throw cause;
      log.error("processing a Telegram event failed", { cause });
    }
  }
}
