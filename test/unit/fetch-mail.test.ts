import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { startFetching } from "../../src/intake/fetch.ts";
import type { WaitingMail } from "../../src/ports/mail/mail-source.ts";

interface Faults {
  open?: () => void;
  read?: (id: string) => void;
  beginning?: (id: string) => void;
  refuse?: (id: string) => void;
  keep?: (id: string) => void;
  taken?: (id: string) => void;
}

/**
 * A place with these messages, each its own name long; what happens to them is written down in order.
 * @param passing how much time a pause takes, as a multiple of what was asked
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
          taken: ({ id }: WaitingMail) => {
            events.push(`move ${id}`);
            faults.taken?.(id);
            waiting.delete(id);
            return Promise.resolve();
          },
          beginning: ({ id }: WaitingMail, bytes: number) => {
            faults.beginning?.(id);
            return Promise.resolve(Buffer.from(id === "empty" ? "" : id).subarray(0, bytes));
          },
          asideOf: () => "Refused",
          setAside: ({ id }: WaitingMail) => {
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
    refuse: async ({ id, source, liesIn, bytes, reason, beginning }) => {
      const head = Buffer.from((await beginning(4)) ?? []).toString();
      events.push(`refuse "${head}" of ${source}, ${bytes} bytes, in ${liesIn}: ${reason}`);
      faults.refuse?.(id);
      // Somebody else took it away meanwhile.
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

describe("a place that mail is fetched from", () => {
  it("is emptied, each message kept before it is moved", async () => {
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

  it("keeps what could not be stored, and is opened again", async () => {
    const { waiting, events, said, fetching, isIdle } = world(["one"], { keep: failing(1) });
    await isIdle;
    expect(events).toEqual(["read one", "keep one"]);
    expect([...waiting]).toEqual(["one"]);
    expect(said).toEqual([
      "warn no mail is fetched from the place: unavailable of the place.",
      "info mail is fetched again from the place",
    ]);
    await fetching.close();
  });

  it("gives what failed as soon as its wait is over, also where nothing new comes", async () => {
    // The pause is over before the message's own wait is.
    const { waiting, events, fetching } = world(["one"], { keep: failing(1) }, 0.5);
    await expect.poll(() => [...waiting]).toEqual([]);
    expect(events).toEqual(["read one", "keep one", "read one", "keep one", "move one"]);
    await fetching.close();
  });

  it("is read no second time where only the move failed", async () => {
    const { events, fetching, isIdle } = world(["one"], { taken: failing(1) }, 2);
    await isIdle;
    expect(events).toEqual(["read one", "keep one", "move one", "move one"]);
    await fetching.close();
  });

  it("gives the others where one message breaks every time", async () => {
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

  it("has what is too large or empty noted for a person, and only then put aside", async () => {
    const { events, said, fetching, isIdle } = world(["more than ten", "empty", "fine"]);
    await isIdle;
    expect(events).toEqual([
      'refuse "more" of the place, 13 bytes, in Refused: it has 13 bytes; INGEST_MAX_BYTES allows 10 bytes',
      "aside more than ten",
      "read empty",
      'refuse "" of the place, 5 bytes, in Refused: it is empty',
      "aside empty",
      "read fine",
      "keep fine",
      "move fine",
    ]);
    expect(said).toEqual([
      "warn a message was not taken: it has 13 bytes; INGEST_MAX_BYTES allows 10 bytes. It was put into Refused.",
      "warn a message was not taken: it is empty. It was put into Refused.",
    ]);
    await fetching.close();
  });

  it("keeps what is too large where the note of it could not be made, and notes it later", async () => {
    const { events, waiting, fetching } = world(["more than ten"], { refuse: failing(1) }, 1);
    await expect.poll(() => [...waiting]).toEqual([]);
    expect(events).toHaveLength(3);
    expect(events[0]).toBe(events[1]);
    expect(events[2]).toBe("aside more than ten");
    await fetching.close();
  });

  it("puts what is too large aside unseen where reading its beginning breaks the connection each time", async () => {
    const { events, waiting, fetching } = world(
      ["more than ten"],
      { beginning: failing(Infinity) },
      1,
    );
    await expect.poll(() => [...waiting]).toEqual([]);
    expect(events).toEqual([
      expect.stringMatching(/^refuse "" of the place, 13 bytes/),
      "aside more than ten",
    ]);
    await fetching.close();
  });

  it("has nothing noted or moved of what is gone by then", async () => {
    const { events, said, fetching, isIdle } = world(["gone by now"]);
    await isIdle;
    expect(events).toHaveLength(1);
    expect(said).toEqual([]);
    await fetching.close();
  });

  it("that refuses the account is asked again after minutes, and that is said once", async () => {
    const { pauses, said, fetching, isIdle } = world([], { open: failing(3, "auth") });
    await isIdle;
    expect(pauses).toEqual([600_000, 600_000, 600_000]);
    expect(said.filter((line) => line.startsWith("error"))).toEqual([
      "error no mail is fetched from the place: auth of the place.",
    ]);
    await fetching.close();
  });

  it("that is away is asked again after longer and longer pauses", async () => {
    const { pauses, fetching, isIdle } = world([], { open: failing(12) });
    await isIdle;
    expect(pauses[0]).toBeLessThan(1_300);
    expect(pauses[4]).toBeGreaterThan(8 * 1_000);
    expect(pauses[11]).toBeGreaterThan(200_000);
    expect(pauses[11]).toBeLessThan(400_000);
    await fetching.close();
  });
});
