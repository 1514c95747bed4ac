import { expect, it } from "vitest";
import { fileWords } from "../../src/adapters/libsql/search/file-words.ts";
import { readHtml } from "../../src/ingest/html/html-text.ts";
import { decodedText } from "../../src/ingest/mime/charset.ts";
import { rtfText } from "../../src/ingest/text/rtf-text.ts";
import { decodeXml } from "../../src/ingest/text/xml-text.ts";

/** A name that every object of the language has. Tables of words had it too. */
const word = "constructor";

it("a media feature with the name of an object's own field is unknown, as in a browser", () => {
  const page = `<html><head><style>.x{display:none}@media (${word}){.x{display:block}}</style></head>
    <body><p>shown</p><p class="x">hidden</p></body></html>`;
  expect(readHtml(page)).toEqual({ text: "shown", invisible: 1 });
});

it("an RTF control word with that name is left out", () => {
  expect(rtfText(Buffer.from(`{\\rtf1 a\\${word} b}`))).toBe("ab");
});

it("an XML reference with that name stays as it is", () => {
  expect(decodeXml(`a &${word}; &__proto__; b`)).toBe(`a &${word}; &__proto__; b`);
});

it("a character set with that name is unknown", () => {
  expect(decodedText(Buffer.from("Caf\u00E9"), word)).toBe("Caf\u00E9");
});

it("a media type with that name has no usual extension", () => {
  expect(fileWords({ name: "a", mediaType: word })).toBe(" a ");
});
