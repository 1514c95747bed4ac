import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ianaZone, isoInZone } from "../../src/core/shared/time-zone.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { Messenger } from "../../src/ports/people/messenger.ts";
import { createDigestNews, type DigestFacts } from "../../src/channels/telegram/digest.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const minuteMs = 60_000;
const some: DigestFacts = {
  mails: { newest: [], total: 0 },
  busy: ["09:00-10:00"],
  waiting: { newest: [], total: 0 },
  changes: { newest: [], total: 0 },
};

/** Runs a leader over a span of time, one look every ten minutes. Returns when digests were sent, in the zone. */
async function digestsOver(
  span: readonly [from: string, to: string],
  at: number,
  timeZone: string,
  {
    facts = some,
    fails = () => false,
  }: { facts?: DigestFacts; fails?: (attempt: number) => boolean } = {},
): Promise<string[]> {
  const zone = ianaZone(timeZone);
  if (zone === undefined) throw new Error(`no zone ${timeZone}`);
  const taken = new Set<string>();
  const sent: string[] = [];
  let attempts = 0;
  const key = (chatId: string, day: string): string => `${chatId} ${day}`;
  const look = createDigestNews({
    days: {
      take: async (chatId, day) =>
        !taken.has(key(chatId, day)) && Boolean(taken.add(key(chatId, day))),
      release: async (chatId, day) => void taken.delete(key(chatId, day)),
    },
    at,
    zone,
    facts: async () => facts,
    chats: [{ chatId: "1001", principal: undefined }],
    messenger: {
      send: async () => {
        attempts += 1;
        if (fails(attempts))
          throw new ToolError("rate_limited", "Later.", { retryAfterSeconds: 0 });
        sent.push(isoInZone(new Date(), zone).slice(0, 16));
        return attempts;
      },
    } as Partial<Messenger> as Messenger,
    log: quietLog,
  });
  const [from, to] = span.map((text) => Date.parse(text)) as [number, number];
  for (let now = from; now <= to; now += 10 * minuteMs) {
    vi.setSystemTime(now);
    await look();
  }
  return sent;
}

describe("the time of a digest [assistant.digest]", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("is that of the person's wall clock, once a day, also when the clocks change", async () => {
    const spring = ["2027-03-26T23:00:00Z", "2027-03-29T21:50:00Z"] as const;
    expect(await digestsOver(spring, 7 * 60, "Europe/Berlin")).toEqual([
      "2027-03-27T07:00",
      "2027-03-28T07:00",
      "2027-03-29T07:00",
    ]);
    const autumn = ["2027-10-29T22:00:00Z", "2027-11-01T22:50:00Z"] as const;
    expect(await digestsOver(autumn, 7 * 60, "Europe/Berlin")).toEqual([
      "2027-10-30T07:00",
      "2027-10-31T07:00",
      "2027-11-01T07:00",
    ]);
    const west = ["2027-01-01T08:00:00Z", "2027-01-02T07:50:00Z"] as const;
    expect(await digestsOver(west, 7 * 60, "America/Los_Angeles")).toEqual(["2027-01-01T07:00"]);
  });

  it("is passed once on a day on which the clocks skip or repeat it", async () => {
    const spring = ["2027-03-27T23:00:00Z", "2027-03-28T21:50:00Z"] as const;
    expect(await digestsOver(spring, 2 * 60 + 30, "Europe/Berlin")).toEqual(["2027-03-28T03:00"]);
    const autumn = ["2027-10-30T22:00:00Z", "2027-10-31T22:50:00Z"] as const;
    expect(await digestsOver(autumn, 2 * 60 + 30, "Europe/Berlin")).toEqual(["2027-10-31T02:30"]);
  });

  it("moves back after a failure, and passes without a message on an empty day", async () => {
    const day = ["2027-01-01T00:00:00Z", "2027-01-01T23:50:00Z"] as const;
    const fails = (attempt: number): boolean => attempt <= 2;
    expect(await digestsOver(day, 7 * 60, "UTC", { fails })).toEqual(["2027-01-01T07:20"]);
    expect(await digestsOver(day, 7 * 60, "UTC", { facts: { ...some, busy: [] } })).toEqual([]);
  });
});
