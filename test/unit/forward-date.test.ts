import { describe, expect, it } from "vitest";
import { forwardDate } from "../../src/ingest/text/forward-date.ts";

const receivedAt = new Date("2026-03-10T12:00:00Z");

describe("the date of a forwarded message", () => {
  const zone = "+0100";
  it.each([
    ["02.03.2026 14:25", "2026-03-02T13:25:00Z"],
    ["02/03/2026 4:05 PM", "2026-02-03T15:05:00Z"],
    ["28/02/2026 4:05 PM", "2026-02-28T15:05:00Z"],
    ["On Monday, March 2nd, 2026 at 12:05 AM", "2026-03-01T23:05:00Z"],
    ["2026年3月2日 下午2:25", "2026-03-02T13:25:00Z"],
    ["2026/03/02 (月) 14:25", "2026-03-02T13:25:00Z"],
    ["lundi 2 mars 2026 à 14h25", "2026-03-02T13:25:00Z"],
    ["March 2, 2026 at 2:25:08 PM GMT+3", "2026-03-02T11:25:08Z"],
    ["2. März 2026 um 14:25:08 MEZ", "2026-03-02T13:25:08Z"],
  ])("%s is read", (text, iso) => {
    expect(forwardDate(text, zone, receivedAt)).toEqual(new Date(iso));
  });

  it.each(["", "yesterday", "99.99.2026 10:00", "Mon, Mar 2, 2036 at 2:25 PM", "2 of 2026"])(
    "%j is not read",
    (text) => {
      expect(forwardDate(text, zone, receivedAt)).toBeUndefined();
    },
  );
});
