import { expect, it } from "vitest";
import { lazyFlow } from "../../src/app/compose/open/lazy-flow.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import type { InformationFlow } from "../../src/core/flow/flow.ts";

const mail = { kind: "mail", id: "em_1", writtenBy: "other", verified: false } as const;
const content = { ...mail, texts: ["The code of the door is 83726154."] };
const text = "what is 83726154";
const sending = { principal: "local", destination: "web_search", text };

/** Creates a flow that records its calls, and is loaded when the test allows it. */
function openSlowly({ isMarked }: { isMarked?: Promise<void> } = {}) {
  const asked: string[] = [];
  const loaded: InformationFlow = {
    given: (principal) => {
      asked.push(`given ${principal}`);
      return isMarked;
    },
    sent: ({ principal }) => {
      asked.push(`sent ${principal}`);
      return undefined;
    },
    examine: async () => void asked.push("examine"),
    origins: async () => [],
    mailsRead: async () => [],
    nameOf: async ({ id }) => id,
    idle: async () => void asked.push("idle"),
    close: async () => void asked.push("close"),
  };
  let finish: (flow: InformationFlow) => void = () => undefined;
  let opened = 0;
  const marked: string[] = [];
  const marks = {
    begin: (principal: string) => {
      marked.push(principal);
      return {
        add: () => true,
        end: () => undefined,
        remove: () => void marked.splice(marked.indexOf(principal), 1),
      };
    },
    othersLeft: async () => [],
  };
  const open = (): Promise<InformationFlow> => {
    opened += 1;
    return new Promise((resolve) => (finish = resolve));
  };
  return {
    flow: lazyFlow(open, { marks, log: quietLog }),
    marked,
    asked,
    load: () => finish(loaded),
    opened: () => opened,
  };
}

it("records what was given and sent before it was loaded, in order and before the check", async () => {
  const { flow, asked, load, opened } = openSlowly();
  void flow.given("alice", [content]);
  void flow.sent(sending);
  const examined = flow.examine({ ...sending, setting: "ask-if-private" });
  void flow.given("bob", [content]);
  load();
  await examined;
  void flow.given("carol", [content]);
  await flow.close();
  expect(asked.slice(0, 3)).toEqual(["given alice", "sent local", "given bob"]);
  expect(asked.slice(3)).toEqual(["examine", "given carol", "close"]);
  expect(opened()).toBe(1);
});

it("stays unloaded after an empty result and a stop", async () => {
  const { flow, opened } = openSlowly();
  void flow.given("alice", []);
  await flow.idle();
  await flow.close();
  expect(opened()).toBe(0);
});

it("refuses a check if loading its code failed", async () => {
  const open = () => Promise.reject(new Error("the file is missing"));
  const flow = lazyFlow(open, { marks: undefined, log: quietLog });
  await expect(flow.given("alice", [content])).rejects.toThrow("missing");
  await expect(flow.examine({ ...sending, setting: "ask-if-private" })).rejects.toThrow("missing");
  await flow.close();
});

it("marks what was given before it was loaded, until it has it", async () => {
  const { flow, marked, load } = openSlowly();
  expect(flow.given("alice", [content])).toBeUndefined();
  expect(marked).toEqual(["alice"]);
  load();
  await flow.idle();
  expect(marked).toEqual([]);
});

it("keeps the first mark until the record has its own", async () => {
  let mark = (): void => undefined;
  const isMarked = new Promise<void>((resolve) => (mark = resolve));
  const { flow, marked, load } = openSlowly({ isMarked });
  void flow.given("alice", [content]);
  load();
  await flow.idle();
  expect(marked).toEqual(["alice"]);
  mark();
  await isMarked;
  await expect.poll(() => marked).toEqual([]);
});
