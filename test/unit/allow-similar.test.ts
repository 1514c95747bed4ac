import { beforeEach, describe, expect, it } from "vitest";
import {
  approveAndAllowSimilar,
  formatSimilar,
} from "../../src/core/policy/rules/allow-similar.ts";
import { compileRule } from "../../src/core/policy/rules/rule.ts";
import { everybody } from "../../src/core/approvals/ticket.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { createEvent } from "../../src/tools/calendar/create-event.ts";
import { writeFile } from "../../src/tools/files/write-file.ts";
import { pageWorld } from "../fakes/page-visit.ts";

/** Returns whether "allow similar" for the first call covers the second. Undefined if it is not offered. */
function covers(
  tool: typeof writeFile,
  first: Record<string, unknown>,
  second: Record<string, unknown>,
): boolean | undefined {
  const when = tool.similar?.(first);
  if (when === undefined) return undefined;
  const expiresAt = new Date("2030-01-01T00:00:00Z");
  const rule = compileRule({
    ruleId: "r",
    tool: tool.name,
    principals: ["local"],
    when,
    expiresAt,
    uses: 5,
    source: "similar",
  });
  return rule.covers({ principal: "local", args: second });
}

describe("calls that are similar [rules.similar]", () => {
  const note = {
    key: "notes/a.md",
    content: "x",
    encoding: "utf-8",
    mediaType: "text/markdown",
    createOnly: false,
  };

  it.each<[string, object, boolean]>([
    ["another file of the folder", { key: "notes/b.md", content: "y" }, true],
    ["one that replaces a version", { ifMatch: "v1" }, true],
    ["a folder below", { key: "notes/old/b.md" }, false],
    ["a folder with a longer name", { key: "notes-evil/b.md" }, false],
    ["the folder above", { key: "b.md" }, false],
    ["another media type", { mediaType: "text/html" }, false],
    ["another encoding", { encoding: "base64" }, false],
  ])("are for a file: %s", (_what, change, expected) => {
    expect(covers(writeFile, note, { ...note, ...change })).toBe(expected);
  });

  it("are only this call for a file at the root", () => {
    const root = { ...note, key: "a.md" };
    expect(covers(writeFile, root, { ...root, content: "y" })).toBe(true);
    expect(covers(writeFile, root, { ...root, key: "b.md" })).toBe(false);
  });

  it("exclude replacement if the first call only created", () => {
    const first = { ...note, createOnly: true };
    expect(covers(writeFile, first, note)).toBe(false);
  });

  const meeting = {
    title: "Walk",
    start: "2026-11-23T09:00:00+01:00",
    end: "2026-11-23T10:00:00+01:00",
    allDay: false,
    timeZone: "Europe/Berlin",
  };

  it.each<[string, object, boolean]>([
    [
      "another one on the day",
      { title: "Lunch", start: "2026-11-23T12:00:00+01:00", end: "2026-11-24T00:00:00+01:00" },
      true,
    ],
    ["the same instants written otherwise", { start: "2026-11-23T08:00:00Z" }, true],
    ["one that leaves the day", { end: "2026-11-24T00:30:00+01:00" }, false],
    ["one before the day", { start: "2026-11-22T23:59:00+01:00" }, false],
    ["a whole day", { allDay: true, start: "2026-11-23", end: "2026-11-24" }, false],
    ["a series", { recurrence: "FREQ=DAILY" }, false],
    ["another zone", { timeZone: "America/New_York" }, false],
  ])("are for an event: %s", (_what, change, expected) => {
    expect(covers(createEvent, meeting, { ...meeting, ...change })).toBe(expected);
  });

  it("are for an event over days those days, even over a clock change", () => {
    const days = {
      ...meeting,
      start: "2026-10-24T20:00:00+02:00",
      end: "2026-10-25T10:00:00+01:00",
    };
    const late = { ...days, start: "2026-10-25T22:00:00+01:00", end: "2026-10-25T23:30:00+01:00" };
    expect(covers(createEvent, days, late)).toBe(true);
    expect(covers(createEvent, days, { ...late, end: "2026-10-26T00:30:00+01:00" })).toBe(false);
  });

  it("are for whole days those days", () => {
    const days = { ...meeting, allDay: true, start: "2026-11-23", end: "2026-11-25" };
    expect(covers(createEvent, days, { ...days, start: "2026-11-24" })).toBe(true);
    expect(covers(createEvent, days, { ...days, end: "2026-11-26" })).toBe(false);
  });

  it("are not offered for a series, nor for a tool that removes, changes events or reads", () => {
    expect(covers(createEvent, { ...meeting, recurrence: "FREQ=DAILY" }, meeting)).toBeUndefined();
    const offering = catalog.filter(({ similar }) => similar !== undefined);
    expect(offering.map(({ name }) => name)).toEqual(["create_event", "write_file"]);
  });
});

describe("allow similar on the page [rules.similar]", () => {
  const similar = { key: { in: "notes/" }, content: "any" } as const;
  let world: ReturnType<typeof pageWorld>;

  beforeEach(async () => {
    world = pageWorld();
    await world.local.enter(world.access.newEntry());
  });

  it("is offered with a description, and approves and stores the rule", async () => {
    const ticket = await world.open({ tool: "write_file", similar });
    const html = await world.local.list();
    expect(html.indexOf(formatSimilar(ticket) ?? "none")).toBeGreaterThan(0);
    expect(html.indexOf(formatSimilar(ticket) ?? "")).toBeLessThan(html.indexOf('value="similar"'));
    const form = await world.local.form(ticket.ticketId);
    expect((await world.local.decide({ ...form, verdict: "similar" })).status).toBe(303);
    expect((await world.tickets.find(ticket.ticketId))?.status).toBe("approved");
    expect(await world.rules.list()).toMatchObject([
      { tool: "write_file", when: similar, uses: 5, channel: "page", by: "maria" },
    ]);
  });

  it("is offered only outside of a pause, for a request with similar calls", async () => {
    await world.open();
    expect(await world.local.list()).not.toContain('value="similar"');
    await world.open({ similar });
    await world.tickets.pause(everybody, "maria");
    expect(await world.local.list()).not.toContain('value="similar"');
  });

  it("creates no rule from a forged form", async () => {
    const { ticketId } = await world.open();
    await world.local.decide({ ...(await world.local.form(ticketId)), verdict: "similar" });
    expect(await world.rules.list()).toEqual([]);
  });

  it("cannot bypass a pause", async () => {
    const { ticketId } = await world.open({ similar });
    await world.tickets.pause(everybody, "maria");
    const decided = approveAndAllowSimilar(world, ticketId, { channel: "telegram", by: "maria" });
    await expect(decided).rejects.toThrow("paused");
    expect(await world.rules.list()).toEqual([]);
  });
});
