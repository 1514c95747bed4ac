import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";
import { type SampleMail, sampleMails } from "../fixtures/codes.ts";
import { codeSets, digestOf, learn, learnedFromPath, messagesOf } from "../fixtures/learn.ts";

// Weights are learned once, on busy machines too.
vi.setConfig({ testTimeout: 300_000 });

/** Rounds of lookalikes, each with other numbers, and of mails with codes. */
const rounds = 3;

/** Returns the secrets that can still be read. */
function leftIn({ subject, text, secrets }: SampleMail, weights?: Int8Array): string[] {
  const hidden = hideCodes(subject, text, weights);
  const shown = `${hidden.subject}\n${hidden.text}`;
  return secrets.filter((secret) => shown.includes(secret));
}

function expectShares(
  { set, share, wrong }: { set: string; share: number; wrong: number },
  weights?: Int8Array,
): void {
  const others = sampleMails(`sign-in${set}`);
  const missed = others.filter((mail) => leftIn(mail, weights).length > 0);
  const similar = sampleMails(`lookalikes${set}`);
  const changed = similar.filter(
    ({ subject, text }) => hideCodes(subject, text, weights).hidden > 0,
  );
  expect(1 - missed.length / others.length, set).toBeGreaterThan(share);
  expect(changed.length / similar.length, set).toBeLessThan(wrong);
}

const formatMail = ({ language, subject }: SampleMail): string => `${language}: ${subject}`;

describe("sign-in codes of the corpora", () => {
  const mails = [...sampleMails("sign-in"), ...sampleMails("sign-in-held-back")];
  const lookalikes = [
    ...sampleMails("lookalikes", rounds),
    ...sampleMails("lookalikes-held-back", rounds),
  ];

  it("are hidden in at least 99 of 100 mails, with a precision of 97 percent", () => {
    expect(mails.length).toBeGreaterThanOrEqual(120);
    expect(lookalikes.length).toBeGreaterThanOrEqual(300);
    const missed = mails.filter((mail) => leftIn(mail).length > 0);
    const wrong = lookalikes.filter(({ subject, text }) => hideCodes(subject, text).hidden > 0);
    expect(missed.length / mails.length, missed.map(formatMail).join("\n")).toBeLessThanOrEqual(
      0.01,
    );
    const found = mails.length - missed.length;
    expect(found / (found + wrong.length), wrong.map(formatMail).join("\n")).toBeGreaterThan(0.97);
  });

  it.each([
    "new",
    "fresh",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "shapes",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
    "thirty-fourth",
    "thirty-fifth",
    "thirty-eighth",
    "forty-first",
    "forty-fourth",
    "forty-fifth",
    "forty-seventh",
    "terse",
  ])("are hidden in 93 of 100 mails of the %s corpus, and its lookalikes stay", (name) => {
    const others = sampleMails(`sign-in-${name}`);
    const missed = others.filter((mail) => leftIn(mail).length > 0);
    expect(missed.length / others.length, missed.map(formatMail).join("\n")).toBeLessThanOrEqual(
      0.07,
    );
    const wrong = sampleMails(`lookalikes-${name}`, rounds).filter(
      ({ subject, text }) => hideCodes(subject, text).hidden > 0,
    );
    expect(wrong.map(formatMail)).toEqual([]);
  });

  it("are hidden in messages of six sets that the weights were not learned from", () => {
    const left = [
      { set: "-fifth", share: 0.9, wrong: 0.04 },
      { set: "-fifteenth", share: 0.96, wrong: 0.04 },
      { set: "-seventh", share: 0.96, wrong: 0.03 },
      { set: "-nineteenth", share: 0.95, wrong: 0.03 },
      { set: "-tenth", share: 0.96, wrong: 0.04 },
      { set: "-eighteenth", share: 0.93, wrong: 0.02 },
    ];
    // One learning without all six takes a third of the time of three, and the weights know less.
    // The eleventh set was written after a look at the tenth.
    const without = ["-eleventh", ...left.map(({ set }) => set)];
    const weights = learn(messagesOf(codeSets.filter((set) => !without.includes(set))));
    for (const expected of left) expectShares(expected, weights);
  });

  // A fix changed the candidates, and the weights of the candidates before it stayed in use.
  it("are judged by weights of today's messages and features, or `npm run codes:learn` must run", () => {
    expect(digestOf(messagesOf(codeSets))).toBe(readFileSync(learnedFromPath, "utf8").trim());
  });

  it.each([
    // Learned since newer sets took their places. The first looks at them are in the decisions.
    { set: "-twentieth", share: 0.97, wrong: 0.01 },
    { set: "-thirty-third", share: 0.97, wrong: 0.01 },
    { set: "-thirty-seventh", share: 0.95, wrong: 0.01 },
    { set: "-thirty-ninth", share: 0.98, wrong: 0.01 },
    { set: "-fortieth", share: 0.97, wrong: 0.01 },
    { set: "-forty-second", share: 0.98, wrong: 0.01 },
    { set: "-forty-third", share: 0.97, wrong: 0.01 },
    { set: "-forty-sixth", share: 0.98, wrong: 0.01 },
    { set: "-forty-eighth", share: 0.97, wrong: 0.01 },
    { set: "-forty-ninth", share: 0.9, wrong: 0.05 },
    { set: "-fiftieth", share: 0.95, wrong: 0.01 },
    { set: "-fifty-second", share: 0.97, wrong: 0.02 },
    { set: "-fifty-third", share: 0.93, wrong: 0.01 },
    { set: "-fifty-fifth", share: 0.9, wrong: 0.02 },
    { set: "-fifty-seventh", share: 0.97, wrong: 0.01 },
    { set: "-sixty-first", share: 0.93, wrong: 0.02 },
    { set: "-thirty-sixth", share: 0.98, wrong: 0.01 },
    { set: "-fifty-first", share: 0.95, wrong: 0.02 },
    { set: "-fifty-fourth", share: 0.95, wrong: 0.02 },
    { set: "-fifty-sixth", share: 0.95, wrong: 0.02 },
    { set: "-fifty-eighth", share: 0.98, wrong: 0.01 },
    { set: "-fifty-ninth", share: 0.97, wrong: 0.01 },
    { set: "-sixty-second", share: 0.97, wrong: 0.02 },
    { set: "-sixty-fourth", share: 0.97, wrong: 0.02 },
  ])("are hidden in messages of a set that is learned now: $set", (expected) =>
    expectShares(expected),
  );

  it.each([
    { set: "-eighth", share: 0.98, wrong: 0.03 },
    // Messages as providers send them.
    { set: "-sixtieth", share: 0.97, wrong: 0.02 },
    { set: "-sixty-third", share: 0.97, wrong: 0.02 },
    { set: "-ordinary", share: 0.99, wrong: 0.015 },
    // In languages of which the weights know few messages.
    { set: "-thirty-second", share: 0.65, wrong: 0.1 },
  ])("are hidden in messages of a set that is never learned: $set", (expected) =>
    expectShares(expected),
  );
});
