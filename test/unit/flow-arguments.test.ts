import { describe, expect, it } from "vitest";
import { outgoingOf } from "../../src/core/flow/outgoing.ts";
import { flowWith } from "../fakes/flow-with.ts";

const declared = ["title", "start", "end", "notes", "location", "query", "context", "list", "more"];
const properties = Object.fromEntries(declared.map((name) => [name, {}]));
const tool = {
  outgoing: undefined,
  schemas: { input: { type: "object", properties }, annotations: {} },
};

/** Returns what a call with these arguments sends. */
function outgoing(args: Readonly<Record<string, unknown>>) {
  return outgoingOf(tool, args);
}

const mail =
  "Hello Sam, the side gate code is 60482. Your employee number is TW-88213-K, write to maren.tolkmitt@fjordwerk.example. The Swindon office will be shut before Easter. Other numbers: 7308, 51-94-27, 580314, 4827, LO/5520/77, PK-2291-QX, 967000009184423, GK-482-TV, 8613, 3962.";
const { flow } = flowWith({ mailsWith: 1 });
await flow.given("local", [
  { kind: "mail", id: "em_1", writtenBy: "other", verified: false, texts: [mail] },
]);

let count = 0;
/** Compares the arguments of a call with the mail. Each call goes to a destination of its own. */
function examined(args: Readonly<Record<string, unknown>>) {
  const destination = `notes ${(count += 1)}`;
  const sending = { principal: "local", destination, setting: "ask-if-private" } as const;
  return flow.examine({ ...sending, ...outgoing(args) });
}

const singles = (text: string): string[] => Array.from(text.replace(/[^\p{L}\p{N}]/gu, ""));
const cut = (text: string, parts: number): string[] =>
  Array.from({ length: parts }, (_, at) =>
    text.slice(
      Math.round((at * text.length) / parts),
      Math.round(((at + 1) * text.length) / parts),
    ),
  );
const [hour, later] = ["2026-12-03T12:00:00Z", "2026-12-03T13:00:00+01:00"];

// Field names, dates and equal words between the parts of a secret hid it in a call of an upstream tool.
describe.each([
  ["a code", "60482"],
  ["a number", "TW-88213-K"],
  ["an address", "maren.tolkmitt@fjordwerk.example"],
])("%s of a mail is found", (_kind, secret) => {
  const [first = "", second = "", third = ""] = cut(secret, 3);
  const [half = "", rest = ""] = cut(secret, 2);
  const hex = cut(Buffer.from(secret).toString("hex"), 3);
  it.each<[string, Readonly<Record<string, unknown>>]>([
    [
      "in two fields around dates",
      { title: `Lunch ${half}`, start: hour, end: later, location: `Room ${rest}` },
    ],
    [
      "in the fields of list items",
      { list: [first, second, third].map((name, id) => ({ id, email: `p${id}@x.example`, name })) },
    ],
    [
      "one character in each list item",
      { list: singles(secret).map((value, at) => ({ at, value })) },
    ],
    [
      "in list items with the same words",
      { list: singles(secret).map((value) => `item ${value}!`) },
    ],
    [
      "in names with running numbers",
      { more: Object.fromEntries(cut(secret, 3).map((part, at) => [`${part}_${at + 1}`, true])) },
    ],
    ["in hexadecimal, a part in each field", { query: hex[0], context: hex[1], title: hex[2] }],
  ])("%s", async (_how, args) => {
    expect(await examined(args)).toMatchObject({ sources: [{ id: "em_1" }] });
  });
});

it("a sentence of a mail is found in letters with running numbers", async () => {
  const letters = singles("The Swindon office will be shut before Easter");
  const found = await examined({ list: letters.map((letter, at) => [at, letter]) });
  expect(found).toMatchObject({ sources: [{ id: "em_1" }] });
});

it("marks the arguments from the first part to the last", async () => {
  const found = await examined({ title: "604", start: hour, notes: "82", location: "near Bath" });
  const { start, end } = found?.matches[0]?.span ?? { start: 0, end: 0 };
  expect(found?.text.slice(start, end)).toBe("604\nnotes\n82");
});

it("the outgoing text has dates and times last, with their names", () => {
  expect(outgoing({ title: "a", start: hour, notes: "b" }).text).toBe(
    `title\na\nnotes\nb\nstart\n${hour}`,
  );
});

it("ordinary arguments with several short values need no approval", async () => {
  const event = { title: "Lunch with Sam", start: hour, end: later, location: "Swindon" };
  expect(await examined({ ...event, list: [{ email: "sam@x.example", name: "Sam" }] })).toBe(
    undefined,
  );
  expect(await examined({ list: Array.from({ length: 20 }, (_, at) => at * 7) })).toBe(undefined);
});

// The numbers of a table were compared in rows, and 41 of 480 further ordinary calls needed approval.
it("the rows contain only texts", () => {
  const list = [61, 39, 62].map((quantity, at) => ({ quantity, price: at + 8, name: "lamp" }));
  expect(outgoing({ list, query: "60", context: "482" }).rows?.text).toMatch(
    /^\D*60 482\s60482\D*$/,
  );
});
