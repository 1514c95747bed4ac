import { describe, expect, it } from "vitest";
import type { Undo, UndoOffer } from "../../src/ports/files/recent-changes.ts";
import { createUndoPress } from "../../src/channels/telegram/undo-press.ts";

const offered: UndoOffer = {
  undoId: "un_1",
  principal: "local",
  noun: "event",
  key: 'the event "Planning"',
  invited: ["eve@example.org"],
  sentence: "put it back",
  lines: [],
  fingerprint: "AAAA-BBBB",
  until: new Date("2026-03-02T12:00:00Z"),
  version: "v1",
  isNewest: true,
};

function world() {
  const state = { now: Date.parse("2026-03-01T12:00:00Z"), offer: offered, undone: 0 };
  const undo: Undo = {
    offer: () => Promise.resolve(state.offer),
    undo: () => {
      state.undone += 1;
      return Promise.resolve({ sentence: "restored it" });
    },
  };
  const press = createUndoPress({
    undo,
    changeMessages: { ended: () => Promise.resolve() },
    clock: () => new Date(state.now),
  });
  return { state, press };
}

const question = { question: expect.stringContaining("Invited: eve@example.org.") as string };

describe("the button that undoes a change to an event with invited people", () => {
  it("asks, and takes the second half of a double press for the same press", async () => {
    const { state, press } = world();
    expect(await press("operator", "un_1")).toEqual(question);
    state.now += 300;
    expect(await press("operator", "un_1")).toEqual(question);
    expect(state.undone).toBe(0);
    state.now += 2_000;
    expect(await press("operator", "un_1")).toBe("Undone: restored it.");
  });

  it("asks again about another version, another approver, and after ten minutes", async () => {
    const { state, press } = world();
    await press("operator", "un_1");
    state.now += 5_000;
    expect(await press("local", "un_1")).toEqual(question);
    state.offer = { ...offered, version: "v2" };
    expect(await press("operator", "un_1")).toEqual(question);
    state.now += 11 * 60_000;
    expect(await press("operator", "un_1")).toEqual(question);
    expect(state.undone).toBe(0);
  });

  it("undoes immediately if it notifies only the user", async () => {
    const { state, press } = world();
    state.offer = { ...offered, invited: [] };
    expect(await press("operator", "un_1")).toBe("Undone: restored it.");
  });
});
