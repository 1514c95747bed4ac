import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { startFetching } from "../../src/intake/fetch.ts";
import type { WaitingMail } from "../../src/ports/mail/mail-source.ts";

interface Faults {
  open?: () => void;
  read?: (id: string) => void;
  beginning?: (id: string) => void;
  reject?: (id: string) => void;
  keep?: (id: string) => void;
  taken?: (id: string) => void;
}

/**
 * Creates a source with these messages. Each message has as many bytes as its name, and the actions on it are recorded
 * in order.
 * @param passing the time that a pause takes, as a multiple of the requested time
 */
function world(ids: readonly string[], faults: Faults = {}, passing = 0) {
  let clock = 0;
  const waiting = new Set(ids);
  const events: string[] = [];
  const said: string[] = [];
  const pauses: number[] = [];
  const say = (level: string) => (message: string) => void said.push(`${level} ${message}`);
  let isListening = false;
  let idle = (): void => undefined;
  const isIdle = new Promise<void>((resolve) => (idle = resolve));
  const fetching = startFetching({
    place: {
      intake: "imap",
      name: "the place",
      open: () => {
        faults.open?.();
        return Promise.resolve({
          waiting: (except: ReadonlySet<string>) => {
            const wanted = [...waiting].filter((id) => !except.has(id));
            return Promise.resolve(wanted.map((id) => ({ id, bytes: id.length, place: id })));
          },
          read: ({ id }: WaitingMail) => {
            events.push(`read ${id}`);
            faults.read?.(id);
            return Promise.resolve(Buffer.from(id === "empty" ? "" : id));
          },
          markProcessed: ({ id }: WaitingMail) => {
            events.push(`move ${id}`);
            faults.taken?.(id);
            waiting.delete(id);
            return Promise.resolve();
          },
          beginning: ({ id }: WaitingMail, bytes: number) => {
            faults.beginning?.(id);
            return Promise.resolve(Buffer.from(id === "empty" ? "" : id).subarray(0, bytes));
          },
          rejectFolder: () => "Rejected",
          reject: ({ id }: WaitingMail) => {
            events.push(`aside ${id}`);
            waiting.delete(id);
            return Promise.resolve();
          },
          changed: (signal: AbortSignal) => {
            isListening = true;
            idle();
            return ended(signal);
          },
          close: () => Promise.resolve(),
        });
      },
    },
    maxBytes: 10,
    keep: (message) => {
      const id = Buffer.from(message).toString();
      events.push(`keep ${id}`);
      faults.keep?.(id);
      return Promise.resolve();
    },
    reject: async ({ id, source, location, bytes, reason, beginning }) => {
      const head = Buffer.from((await beginning(4)) ?? []).toString();
      events.push(`reject "${head}" of ${source}, ${bytes} bytes, in ${location}: ${reason}`);
      faults.reject?.(id);
      // Another program removed the message meanwhile.
      if (id === "gone by now") return !waiting.delete(id);
      return true;
    },
    log: { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") },
    now: () => clock,
    pause: (ms, signal) => {
      // Nothing comes, and no time goes by.
      if (isListening && passing === 0) return ended(signal);
      pauses.push(ms);
      clock += ms * passing;
      return Promise.resolve();
    },
  });
  return { events, said, pauses, waiting, fetching, isIdle };
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** Fails the first `times` times. */
function failing(times: number, kind: "unavailable" | "auth" = "unavailable") {
  let left = times;
  return (): void => {
    left -= 1;
    if (left >= 0) throw new ToolError(kind, `${kind} of the place.`);
  };
}

describe("a mail source", () => {
  it("is emptied, each message stored before it is moved", async () => {
    const { events, fetching, isIdle } = world(["one", "two"]);
    await isIdle;
    expect(events).toEqual([
      "read one",
      "keep one",
      "move one",
      "read two",
      "keep two",
      "move two",
    ]);
    await fetching.close();
  });

  it("keeps a message that could not be stored, and is opened again", async () => {
    const { waiting, events, said, fetching, isIdle } = world(["one"], { keep: failing(1) });
    await isIdle;
    expect(events).toEqual(["read one", "keep one"]);
    expect([...waiting]).toEqual(["one"]);
    expect(said).toEqual([
      "warn fetching mail from the place failed: unavailable of the place.",
      "info fetching mail from the place works again",
    ]);
    await fetching.close();
  });

  it("returns a failed message after its wait, even without new mail", async () => {
    // The pause ends before the message's own wait.
    const { waiting, events, fetching } = world(["one"], { keep: failing(1) }, 0.5);
    await expect.poll(() => [...waiting]).toEqual([]);
    expect(events).toEqual(["read one", "keep one", "read one", "keep one", "move one"]);
    await fetching.close();
  });

  it("does not fetch a message again if only the move failed", async () => {
    const { events, fetching, isIdle } = world(["one"], { taken: failing(1) }, 2);
    await isIdle;
    expect(events).toEqual(["read one", "keep one", "move one", "move one"]);
    await fetching.close();
  });

  it("returns other messages if one breaks the connection every time", async () => {
    const { waiting, pauses, fetching, isIdle } = world(["a", "poison", "z"], {
      read: (id) => {
        if (id === "poison") throw new ToolError("unavailable", "The connection broke.");
      },
    });
    await isIdle;
    expect([...waiting]).toEqual(["poison"]);
    expect(pauses).toHaveLength(1);
    await fetching.close();
  });

  it("rejects a message that is too large or empty after recording it for a person", async () => {
    const { events, said, fetching, isIdle } = world(["more than ten", "empty", "fine"]);
    await isIdle;
    expect(events).toEqual([
      'reject "more" of the place, 13 bytes, in Rejected: it has 13 bytes; INGEST_MAX_BYTES allows 10 bytes',
      "aside more than ten",
      "read empty",
      'reject "" of the place, 5 bytes, in Rejected: it is empty',
      "aside empty",
      "read fine",
      "keep fine",
      "move fine",
    ]);
    expect(said).toEqual([
      "warn a message was rejected: it has 13 bytes; INGEST_MAX_BYTES allows 10 bytes. It was moved to Rejected.",
      "warn a message was rejected: it is empty. It was moved to Rejected.",
    ]);
    await fetching.close();
  });

  it("keeps a message that is too large until it can be recorded", async () => {
    const { events, waiting, fetching } = world(["more than ten"], { reject: failing(1) }, 1);
    await expect.poll(() => [...waiting]).toEqual([]);
    expect(events).toHaveLength(3);
    expect(events[0]).toBe(events[1]);
    expect(events[2]).toBe("aside more than ten");
    await fetching.close();
  });

  it("rejects a message without its sender if reading its beginning breaks the connection each time", async () => {
    const { events, waiting, fetching } = world(
      ["more than ten"],
      { beginning: failing(Infinity) },
      1,
    );
    await expect.poll(() => [...waiting]).toEqual([]);
    expect(events).toEqual([
      expect.stringMatching(/^reject "" of the place, 13 bytes/),
      "aside more than ten",
    ]);
    await fetching.close();
  });

  it("records and moves no message that has disappeared", async () => {
    const { events, said, fetching, isIdle } = world(["gone by now"]);
    await isIdle;
    expect(events).toHaveLength(1);
    expect(said).toEqual([]);
    await fetching.close();
  });

  it("that rejects the account gets retries after minutes, and one log line", async () => {
    const { pauses, said, fetching, isIdle } = world([], { open: failing(3, "auth") });
    await isIdle;
    expect(pauses).toEqual([600_000, 600_000, 600_000]);
    expect(said.filter((line) => line.startsWith("error"))).toEqual([
      "error fetching mail from the place failed: auth of the place.",
    ]);
    await fetching.close();
  });

  it("that is unavailable gets retries with growing pauses", async () => {
    const { pauses, fetching, isIdle } = world([], { open: failing(12) });
    await isIdle;
    expect(pauses[0]).toBeLessThan(1_300);
    expect(pauses[4]).toBeGreaterThan(8 * 1_000);
    expect(pauses[11]).toBeGreaterThan(200_000);
    expect(pauses[11]).toBeLessThan(400_000);
    await fetching.close();
  });
});
