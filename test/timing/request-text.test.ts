import { expect, it } from "vitest";
import { effectOf } from "../../src/core/approvals/effect.ts";
import { wholeArguments } from "../../src/channels/page/whole-arguments.ts";
import { upstreamEffect } from "../../src/upstream/effect.ts";
import { request } from "../contract/ticket-fixtures.ts";
import { takesLess } from "../fixtures/growth.ts";
import { createFakeTickets } from "../fakes/tickets.ts";

const day = 86_400_000;
const tool = { title: "Send", operation: "changes", mentions: [], describe: () => "send" } as const;

// A page with one such request took 12 s, during which the server answered no call. The page asks every three seconds.
it.each([
  ["letters that look like Latin ones", "\u0430p "],
  ["marks", "\u0301"],
  ["invisible characters", "\u200B"],
])(
  "shows a request with megabytes of %s in time that its size does not change",
  async (_, unit) => {
    const args = { text: unit.repeat(3_000_000 / unit.length) };
    const found = upstreamEffect("mail", { name: "send", inputSchema: {} }, args);
    const effect = effectOf(tool, args, found);
    const { ticket } = await createFakeTickets(() => new Date()).open(
      request({ args, effect }),
      day,
    );
    expect(takesLess(250, () => wholeArguments(ticket))).toBe(true);
  },
);
