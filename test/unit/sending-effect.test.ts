import { expect, it } from "vitest";
import type { Hit } from "../../src/core/flow/hit.ts";
import { sendingEffect } from "../../src/core/flow/sending-effect.ts";

it("names the source of a repeated text once, and marks each of its places", async () => {
  // A text that quoted the same sentence ten times had ten identical lines above the buttons.
  const text = "code ZX-91, again ZX-91 and PQ-77";
  const hit = (part: string, start: number): Hit => ({
    kind: "code",
    text: part,
    terms: [],
    span: { start, end: start + part.length },
    sources: [{ kind: "mail", id: "em_1", writtenBy: "unknown", verified: false, at: new Date(0) }],
  });
  const { facts } = await sendingEffect(
    { describe: () => "send", mentions: [] },
    {},
    {
      text,
      matches: [hit("ZX-91", 5), hit("ZX-91", 18), hit("PQ-77", 28)],
      reason: "",
      sources: [],
    },
    async () => await Promise.resolve('the mail "Door"'),
  );
  expect(facts).toEqual([
    {
      label: "outgoing text",
      value: "code \u27E6ZX-91\u27E7, again \u27E6ZX-91\u27E7 and \u27E6PQ-77\u27E7",
    },
    { label: "private", value: 'ZX-91: from the mail "Door"' },
    { label: "private", value: 'PQ-77: from the mail "Door"' },
  ]);
});
