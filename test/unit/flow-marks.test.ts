import { expect, it } from "vitest";
import type { InformationFlow } from "../../src/core/flow/flow.ts";
import type { LeftMark, Recording } from "../../src/core/flow/recording-marks.ts";
import { flowWith, noMark } from "../fakes/flow-with.ts";

const mail = { kind: "mail", id: "em_1", writtenBy: "other", verified: false } as const;
const content = { ...mail, texts: ["The code of the door is 83726154."] };

it("marks a record from before the answer until it is stored", async () => {
  let store = (): void => undefined;
  const storing = new Promise<void>((resolve) => (store = resolve));
  const marked = new Set<string>();
  const { flow } = flowWith({
    isStored: () => storing,
    marks: {
      begin: (principal) => {
        marked.add(principal);
        return { ...noMark, remove: () => void marked.delete(principal) };
      },
      othersLeft: async () => [],
    },
  });
  await flow.given("local", [content]);
  expect([...marked]).toEqual(["local"]);
  store();
  await flow.idle();
  expect([...marked]).toEqual([]);
});

it("marks what simultaneous calls give once, adds later items, and begins another if that takes no more", async () => {
  const begun: number[] = [];
  let takesMore = true;
  const { flow } = flowWith({
    marks: {
      begin: (_, recording) => {
        const index = begun.push(recording.given.length + recording.sent.length) - 1;
        return {
          ...noMark,
          add: ({ given, sent }) => {
            if (takesMore) begun[index] = (begun[index] ?? 0) + given.length + sent.length;
            return takesMore;
          },
          remove: () => begun.fill(0, index, index + 1),
        };
      },
      othersLeft: async () => [],
    },
  });
  await Promise.all([
    flow.given("local", [content]),
    flow.given("local", [{ ...content, id: "em_2" }]),
    flow.given("somebody else", [content]),
  ]);
  expect(begun).toEqual([2, 1]);
  await flow.sent({ principal: "local", destination: "web_search", text: "tides" });
  expect(begun).toEqual([3, 1]);
  takesMore = false;
  await flow.given("local", [{ ...content, id: "em_3" }]);
  expect(begun).toEqual([3, 1, 1]);
  await flow.idle();
  expect(begun).toEqual([0, 0, 0]);
});

// A process needed approval for everything after one failure, until its restart.
it("keeps the mark of a record that failed, and tries the record again", async () => {
  let isMarked = false;
  let isFull = true;
  const { flow } = flowWith({
    isStored: async () => {
      if (isFull) throw new Error("the disk is full");
    },
    marks: {
      begin: () => {
        isMarked = true;
        return { ...noMark, remove: () => (isMarked = false) };
      },
      othersLeft: async () => [],
    },
  });
  void flow.given("local", [content]);
  await flow.idle();
  expect(isMarked).toBe(true);
  expect((await examined(flow, "tides"))?.reason).toContain("could not be recorded");
  isFull = false;
  expect((await examined(flow, "what is 83726154"))?.sources).toMatchObject([{ id: "em_1" }]);
  expect(isMarked).toBe(false);
});

// One failed write, such as one that waited too long for another process, had a person asked about a harmless text.
it("tries a record again that fails while a call waits for it", async () => {
  let failures = 1;
  const { flow } = flowWith({
    isStored: async () => {
      if (failures > 0) failures -= 1;
      else return;
      throw new Error("another process writes");
    },
  });
  await flow.given("local", [content]);
  const [harmless, found] = await Promise.all([
    examined(flow, "weather in Ghent"),
    examined(flow, "what is 83726154"),
  ]);
  expect(harmless).toBeUndefined();
  expect(found?.sources).toMatchObject([{ id: "em_1" }]);
});

// While later items of the destination were being recorded, the earlier failure was not tried again.
it("tries a failed record again before a text is sent back to its origin", async () => {
  let isFull = true;
  const { flow } = flowWith({
    isStored: async () => {
      if (isFull) throw new Error("the disk is full");
    },
  });
  const note = { ...content, kind: "upstream", id: "notes__search" } as const;
  await flow.given("local", [note]);
  await flow.idle();
  isFull = false;
  await flow.given("local", [{ ...note, texts: ["Another note."] }]);
  const back = {
    principal: "local",
    destination: "notes",
    text: "what is 83726154",
    setting: "ask-if-private",
    gaveItself: ({ id }: { id: string }) => id === "notes__search",
  } as const;
  expect(await flow.examine(back)).toBeUndefined();
});

// A process on another file system cannot see that a record has begun.
it("lets the answer wait for the record if it cannot be marked", async () => {
  const { flow, giveBack } = openUnmarked();
  let isAnswered = false;
  const answer = flow.given("local", [content])?.then(() => (isAnswered = true));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  giveBack.resolve();
  await answer;
  expect(isAnswered).toBe(true);
});

it("withholds an answer if marking and recording it failed", async () => {
  const { flow, giveBack } = openUnmarked();
  const answer = flow.given("local", [content]);
  giveBack.reject(new Error("the server is down"));
  await expect(answer).rejects.toThrow("the server is down");
});

function openUnmarked() {
  let resolve = (): void => undefined;
  let reject = (_cause: Error): void => undefined;
  const storing = new Promise<void>((...ends) => ([resolve, reject] = ends));
  storing.catch(() => undefined);
  const marks = {
    begin: () => {
      throw new Error("the directory is read-only");
    },
    othersLeft: async () => [],
  };
  return { ...flowWith({ isStored: () => storing, marks }), giveBack: { resolve, reject } };
}

const examined = (flow: InformationFlow, text: string) =>
  flow.examine({ principal: "local", destination: "web_search", text, setting: "ask-if-private" });

/** Opens a record beside the mark of a process that was killed. */
function flowAfterKill(recording: Recording | undefined) {
  const left = new Set<LeftMark>();
  left.add({ recording, remove: () => left.clear() });
  const marks = { begin: () => noMark, othersLeft: async () => [...left] };
  return { left, flow: flowWith({ marks }).flow };
}

it("records what a killed process returned, and removes its mark", async () => {
  const { flow, left } = flowAfterKill({ given: [content], sent: [] });
  expect(await examined(flow, "weather in Ghent")).toBeUndefined();
  expect([...left]).toEqual([]);
  expect((await examined(flow, "what is 83726154"))?.sources).toMatchObject([{ id: "em_1" }]);
});

it("needs approval for everything while the mark of a killed process cannot be read", async () => {
  const { flow, left } = flowAfterKill(undefined);
  expect((await examined(flow, "tides"))?.reason).toContain("has not been recorded");
  left.clear();
  expect(await examined(flow, "tides")).toBeUndefined();
});
