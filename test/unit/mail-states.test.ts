import { expect, test } from "vitest";
import { createMailStates } from "../../src/app/mail/mail-states.ts";

test("states of imported messages are asked for together", async () => {
  // One question for each message cut the batches of writes, so that each message took a commit of its own.
  const asked: string[][] = [];
  const states = createMailStates({
    states: async (emailIds) => {
      asked.push([...emailIds]);
      return new Map([
        ["em_1", { state: "searchable" }],
        ["em_2", { state: "pending" }],
        ["em_3", { state: "failed", reason: "the disk is full" }],
      ]);
    },
  });
  for (const emailId of ["em_1", "em_2", "em_3"]) states.add(emailId);
  expect(await states.outcomeOf("em_1")).toEqual({ state: "searchable" });
  expect(await states.outcomeOf("em_3")).toEqual({ state: "failed", reason: "the disk is full" });
  expect(await states.outcomeOf("em_2")).toBeUndefined();
  expect(asked).toEqual([["em_1", "em_2", "em_3"], ["em_2"]]);
});
