import { describe, expect, it } from "vitest";
import { z } from "zod";
import { examineOutgoing, withFlow } from "../../src/core/call/flow-steps.ts";
import { givenContents, outgoingText } from "../../src/core/flow/outgoing.ts";
import { fenceUntrusted, isInternal } from "../../src/core/tool/untrusted-text.ts";
import { defaultPolicy } from "../../src/core/policy/policy.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { updateEvent } from "../../src/tools/calendar/update-event.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { upstreamTool } from "../../src/upstream/upstream-tool.ts";
import { flowWith } from "../fakes/flow-with.ts";
import { quietLog } from "../fakes/quiet-log.ts";

const inputSchema = { type: "object", properties: { title: {}, rows: {} } };

function toolOf(name: string) {
  return upstreamTool(
    {
      name: "notes",
      target: { kind: "http", url: "https://example.org/mcp", headers: {} },
      identity: "notes",
      place: "",
      tools: {},
      reads: "private",
      sends: true,
      preview: {},
      timeoutMs: 1_000,
    },
    {
      definition: { name, description: "Stores.", inputSchema },
      hash: "",
      risk: "low",
      reviewedBy: "",
      reviewedAt: "",
    },
    "low",
    {
      send: () => Promise.resolve({ isError: false, blocks: [] }),
      confirm: () => Promise.resolve(),
      compile: () => () => Promise.resolve([]),
      reviewed: () => undefined,
      log: quietLog,
    },
  );
}

describe("the outgoing text of an upstream tool", () => {
  const tool = toolOf("store");

  it("has undeclared field names also in a row", () => {
    const rows = { "we will": 1, "dismiss Henrik": 2, "Salzmann on Monday": 3 };
    const text = outgoingText(tool, { title: "a", rows });
    expect(text.split("\n").at(-1)).toBe("we will dismiss Henrik Salzmann on Monday");
  });

  it("has declared field names once", () => {
    expect(outgoingText(tool, { title: "a", rows: "b" })).toBe("title\na\nrows\nb");
  });

  // Each tool had its own pieces, so a code in three pieces left through three tools of one server.
  it("is added up for all tools of the server", async () => {
    const { signal } = new AbortController();
    const destinations: string[] = [];
    const note = async ({ destination }: { destination: string }): Promise<undefined> => {
      destinations.push(destination);
    };
    const flow = { ...flowWith().flow, examine: note, sent: note };
    const executor = withFlow<Ports>(
      {
        prepare: () => Promise.resolve({}),
        confirm: () => Promise.resolve(),
        execute: () => Promise.resolve({}),
        idle: () => Promise.resolve(),
      },
      flow,
    );
    for (const name of ["store", "append"]) {
      const call = { tool: toolOf(name), args: { title: "RT-" }, principal: "local" };
      const parsed = { ...call, client: "test", digest: "", policy: defaultPolicy };
      await examineOutgoing(flow, parsed, {});
      const caller = { principal: "local", callId: name, version: undefined, signal };
      await executor.execute(call.tool, call.args, caller);
    }
    expect(destinations).toEqual(["notes", "notes", "notes", "notes"]);
  });
});

// Only texts were recorded, and a number of structured content could be sent.
it("the content that a caller receives includes the numbers of structured content", () => {
  const data = { accounts: [{ iban: "NL00", number: 4_711_938_265 }, { balance: -8_812.5 }] };
  const output = { text: "2 accounts", failed: false, data, totalBytes: 10, leftOut: [] };
  const [item] = givenContents(toolOf("list"), {}, output);
  expect(item?.texts).toEqual(["2 accounts", "NL00", "4711938265", "-8812.5"]);
});

// The result of a changed event names its title, which could then be sent without approval.
it("the content that a caller receives includes the title of an event that keeps it", () => {
  const event = { id: "ev_1", title: "Surgery", start: "a", end: "b", origin: "user" };
  const item = { kind: "event", id: "ev_1", texts: ["Surgery"] };
  expect(updateEvent.reads).toBe("private");
  expect(givenContents(updateEvent, { eventId: "ev_1" }, event)).toMatchObject([item]);
  expect(givenContents(updateEvent, { title: "Surgery" }, { ...event })).toEqual([]);
});

/** Fields that are not recorded, because they say nothing about a person. */
const unrecorded: Readonly<Record<string, string>> = {
  mediaType: "text/plain",
  spf: "pass",
  dkim: "pass",
  dmarc: "pass",
};

/** Returns a value of a schema in which every text is another one. */
function sampleOf(schema: unknown, next: () => string): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).flatMap(([name, field]) =>
        field instanceof z.ZodType && isInternal(field)
          ? []
          : [[name, unrecorded[name] ?? sampleOf(field, next)]],
      ),
    );
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return sampleOf(schema.unwrap(), next);
  if (schema instanceof z.ZodArray) return [sampleOf(schema.element, next)];
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodNumber) return 1;
  if (schema instanceof z.ZodBoolean) return true;
  return schema instanceof z.ZodString ? next() : {};
}

// The name of an attachment with a hit and the person who forwarded a mail were not recorded.
it.each(
  catalog.filter(({ reads }) => reads === "private").map((tool) => [tool.name, tool] as const),
)("the content that a caller receives from %s includes every text of others", (_name, tool) => {
  let count = 0;
  const output = sampleOf(tool.output, () => `text ${(count += 1)}!`) as Record<string, unknown>;
  const texts: string[] = [];
  fenceUntrusted(tool.output, output, (text) => {
    // A media type has a known form, or is free text of the sender.
    if (!Object.values(output).includes(text) || output["mediaType"] !== text) texts.push(text);
    return text;
  });
  const recorded = givenContents(tool, {}, output)
    .flatMap((item) => item.texts)
    .join("\n");
  expect(texts.filter((text) => !recorded.includes(text))).toEqual([]);
});
