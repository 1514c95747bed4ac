import { describe, expect, it } from "vitest";
import { givenContents, outgoingText } from "../../src/core/flow/outgoing.ts";
import { updateEvent } from "../../src/tools/calendar/update-event.ts";
import { upstreamTool } from "../../src/upstream/upstream-tool.ts";
import { quietLog } from "../fakes/quiet-log.ts";

describe("the outgoing text of an upstream tool", () => {
  const definition = {
    name: "store",
    description: "Stores.",
    inputSchema: { type: "object", properties: { title: {}, rows: {} } },
  };
  const tool = upstreamTool(
    {
      name: "notes",
      target: { kind: "http", url: "https://example.org/mcp", headers: {} },
      identity: "notes",
      tools: {},
      reads: "private",
      sends: true,
      preview: {},
      timeoutMs: 1_000,
    },
    { definition, hash: "", risk: "low", reviewedBy: "", reviewedAt: "" },
    "low",
    {
      send: () => Promise.resolve({ isError: false, blocks: [] }),
      confirm: () => Promise.resolve(),
      compile: () => () => Promise.resolve([]),
      reviewed: () => undefined,
      log: quietLog,
    },
  );

  it("has undeclared field names also in a row", () => {
    const rows = { "we will": 1, "dismiss Henrik": 2, "Salzmann on Monday": 3 };
    const text = outgoingText(tool, { title: "a", rows });
    expect(text.split("\n").at(-1)).toBe("we will dismiss Henrik Salzmann on Monday");
  });

  it("has declared field names once", () => {
    expect(outgoingText(tool, { title: "a", rows: "b" })).toBe("title\na\nrows\nb");
  });
});

// The result of a changed event names its title, which could then be sent without approval.
it("the content that a caller receives includes the title of an event that keeps it", () => {
  const event = { id: "ev_1", title: "Surgery", start: "a", end: "b", origin: "user" };
  const item = { kind: "event", id: "ev_1", texts: ["Surgery"] };
  expect(updateEvent.reads).toBe("private");
  expect(givenContents(updateEvent, { eventId: "ev_1" }, event)).toMatchObject([item]);
  expect(givenContents(updateEvent, { title: "Surgery" }, { ...event })).toEqual([]);
});
