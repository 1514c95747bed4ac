import { expect, it } from "vitest";
import { storedSummary, summaryReader } from "../../src/adapters/libsql/mail/stored-summary.ts";
import { extractSummary } from "../../src/ingest/summary/extract-summary.ts";
import { rawKey } from "../../src/ports/mail/mail-objects.ts";
import { createFakeObjects } from "../fakes/objects.ts";

const sha256 = "ab".repeat(32);
const headers = "Subject: café\r\n\r\n";

/** Stores a summary of a message with this text, and reads it again. */
async function readAgain(summary: string, body: string) {
  const objects = createFakeObjects();
  const raw = Buffer.from(`${headers}${body}\r\n`);
  await objects.put(rawKey(sha256), raw, { mediaType: "message/rfc822" });
  const row = {
    summary: storedSummary({ text: summary, source: "extract" }, body),
    raw_sha256: new Uint8Array(Buffer.from(sha256, "hex")),
    text_at: Buffer.byteLength(headers),
    text_bytes: Buffer.byteLength(body),
  };
  const summariesOf = summaryReader(objects);
  const read = (await summariesOf([row])).get(row);
  await objects.remove(rawKey(sha256));
  return { stored: row.summary, read, readWithoutText: (await summariesOf([row])).get(row) };
}

const sentences = "The board meets on Thursday at nine. Please bring the figures of the spring. ";

it.each([
  ["one line", sentences],
  ["lines of one sentence", sentences.replaceAll(" ", "\r\n")],
  ["a greeting before it", `Dear Ann,\r\n\r\n${sentences}`],
  ["a beginning that occurs before", `> The board says\r\n${sentences}`],
  ["more than a summary has", sentences.repeat(20)],
  ["a long word that is cut", `meeting ${"x".repeat(900)}`],
  ["letters of several bytes", `Grüße, ${"会議は木曜日に移動します。".repeat(40)}`],
  ["characters of two units", `sure ${"\u{1F600}".repeat(400)}`],
])("stores an extract as its place in the text: %s", async (_, body) => {
  const summary = extractSummary(body);
  const { stored, read, readWithoutText } = await readAgain(summary, body);
  expect(stored).toBeTypeOf("number");
  expect(read).toBe(summary);
  expect(readWithoutText).toBe("");
});

it.each([
  ["a link within it", `see the page https://example.com/a of the board. ${sentences}`],
  ["a quotation within it", `The board meets.\r\n> When?\r\nIt meets on Thursday at nine.`],
  ["few characters", "at nine"],
  ["half a character", `${"\u{1F600}".repeat(60)}\ud83d and more`],
])("stores an extract that is no part of the text as text: %s", async (_, body) => {
  const summary = extractSummary(body);
  const { stored, readWithoutText } = await readAgain(summary, body);
  expect(stored).not.toBeTypeOf("number");
  expect(readWithoutText).toBe(summary.toWellFormed());
});

it("stores a summary by a model, and one without a text beside it, as text", () => {
  for (const summary of [
    storedSummary({ text: sentences, source: "model" }, sentences),
    storedSummary({ text: sentences, source: "extract" }),
  ])
    expect(summary).not.toBeTypeOf("number");
});
