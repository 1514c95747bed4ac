import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import { ftsExpression } from "../../src/adapters/libsql/search/search-text.ts";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";
import { readHtml } from "../../src/ingest/html/html-text.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { mboxMessages } from "../../src/intake/mbox.ts";
import { docxOf, odfOf, pdfOf, pptxOf, tnefOf, xlsxOf } from "../fixtures/documents.ts";
import { growthBy2 } from "../fixtures/growth.ts";
import { heapInUse } from "../fixtures/heap.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

/** The limit for twice the size. Quadratic work takes 4. */
const most = 2.5;

const receivedAt = new Date("2026-03-10T12:00:00Z");

type Shapes = Readonly<Record<string, (size: number) => string>>;

/** Repeats a piece until a text has this many characters. */
const full =
  (unit: string, before = "", behind = "") =>
  (size: number): string =>
    before + unit.repeat(Math.ceil(size / unit.length)) + behind;

/** Joins pieces that differ until a text has about this many characters. */
const each =
  (length: number, piece: (at: number) => string, before = "", behind = "") =>
  (size: number): string =>
    before +
    Array.from({ length: Math.ceil(size / length) }, (_, at) => piece(at)).join("") +
    behind;

const hiddenColumn = '<col style="visibility:collapse">';
const cover = "<div style='position:absolute;inset:0;background:#fff'></div>";

const pages: Shapes = {
  "cells of a row beside a hidden column": full("<td>a", `<table>${hiddenColumn}<tr>`),
  "rows beside a hidden column": full("<tr><td>a<td>b<td>c", `<table>${hiddenColumn}`),
  "hidden columns": full(hiddenColumn, "<table>", "<tr><td>a"),
  "cells deep in a page": full("<p><td>a</td></p>", `<table>${hiddenColumn}${"<div>".repeat(300)}`),
  "boxes that cover text": full(`<p>a</p>${cover}`, "<div>"),
  "text under many boxes": (size) => `${full("<p>a</p>")(size)}${full(cover)(size)}`,
  "hidden elements": full("<p hidden>a b</p>"),
  "boxes that cut text": full("<div style='height:20px;overflow:hidden'>a b</div>"),
  "different styles": each(40, (at) => `<p style="margin-left:${at}px">a</p>`),
  rules: each(20, (at) => `.a${at % 50}{color:red}`, "<style>", "</style><p class=a1>a"),
  layers: each(30, (at) => `@layer a${at}{p{color:red}}`, "<style>", "</style><p>a"),
  keyframes: each(40, (at) => `@keyframes k${at}{to{opacity:0}}`, "<style>", "</style><p>a"),
  "variables that are not set": (size) =>
    each(9, (at) => `--a${at}:1;`, "<style>html{", "}</style>")(size / 2) +
    each(40, (at) => `<p style="width:var(--b${at})">a`)(size / 2),
  "a transformation": full("1", "<style>p{transform:", "}</style><p>a"),
  filters: full("blur(", "<style>p{filter:", "}</style><p>a"),
  masks: full("gradient(", "<style>p{mask:", "}</style><p>a"),
  "boxes with a place": full("<div style='position:relative;top:-20px;background:#fff'>a</div>"),
  "boxes that sheets add": full(
    "<p>a",
    "<style>p::after{content:'';position:absolute;inset:0;background:#fff}</style>",
  ),
  "elements that are opened again": full("<p><b><i><u>a", "<b id=1><b id=2><b id=3>"),
  "elements that are closed in another order": full("<a><b><p></a>x</b>"),
  "text before a table": full("<table>a<tr>b<td>"),
  "options of a list": full("<option>a", "<select>"),
  "line breaks": full("a<br>"),
  comments: full("<!-- a -->b"),
  pictures: full("<img alt=a>"),
  "tags that do not end": full("<a <b "),
};

const head = "Subject: x\r\nContent-Type:";
const parts = `${head} multipart/mixed; boundary=b\r\n\r\n--b\r\n`;
const alternatives = (plain: string, html: string): string =>
  `${head} multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--`;

const messages: Shapes = {
  "nested multiparts": (size) =>
    full(
      "--b\r\n",
      each(400, (at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`)(size),
    )(size),
  "lines like delimiters": full("--b x\r\n", parts),
  headers: full("X: y\r\n", "", "\r\nx"),
  folds: full(" b\r\n", "Subject: a\r\n", "\r\nx"),
  recipients: full("a@b.example,\r\n ", "To: ", "\r\n\r\nx"),
  "encoded words": full("=?utf-8?q?a?= ", "Subject: ", "\r\n\r\nx"),
  parameters: each(12, (at) => `a*${at}=b; `, `${head} text/plain; `, "\r\n\r\nx"),
  "flowed lines": full("hello you \r\n", `${head} text/plain; format=flowed\r\n\r\n`),
  "uuencoded files": full("begin 644 a\r\n#86)C\r\n`\r\nend\r\n", `${head} text/plain\r\n\r\n`),
  codes: each(30, (at) => `your code is ${100_000 + at}\r\n`, `${head} text/plain\r\n\r\n`),
  "figures in both parts": (size) =>
    alternatives(
      each(20, (at) => `${100_000 + at} words `)(size),
      each(20, (at) => `<p>${100_000 + size - at} words`)(size),
    ),
  "addresses in both parts": (size) =>
    alternatives(
      each(30, (at) => `u${at}@b.example `)(size),
      each(30, (at) => `<p>u${size - at}@b.example `)(size),
    ),
  "links in both parts": (size) =>
    alternatives(
      each(40, (at) => `https://b.example/${at} word `)(size),
      each(40, (at) => `<a href=https://b.example/${size - at}>word</a> `)(size),
    ),
};

const bare = (text: string): Uint8Array => Buffer.from(text, "latin1");

const office = "application/vnd.openxmlformats-officedocument";
const workbook = `${office}.spreadsheetml.sheet`;
const slides = `${office}.presentationml.presentation`;
const openDocument = "application/vnd.oasis.opendocument.text";
const outlook = "application/ms-tnef";

/** Makes a workbook of one row, of which each cell names the same long text. */
function repeatedText(size: number): Uint8Array {
  const cells = '<c t="s"><v>0</v></c>'.repeat(size / 100);
  const strings = `<si><t>${"abcdefghij".repeat(size / 2)}</t></si>`;
  return xlsxOf([`<sheetData><row>${cells}</row></sheetData>`], { strings });
}

/** Makes a file of Outlook with many small bodies that claim to be this large. */
function claimedBodies(size: number, claim = 0xffff_ffff): Uint8Array {
  const body = Buffer.alloc(32);
  body.writeUInt32LE(claim, 4);
  body.writeUInt32LE(0x75465a4c, 8);
  const one = tnefOf(body, []).subarray(6);
  const count = Math.ceil(size / one.length);
  return Buffer.concat([tnefOf(body, []), ...Array.from({ length: count }, () => one)]);
}

const attachments: Readonly<Record<string, [string, (size: number) => Uint8Array]>> = {
  "pages of a PDF": [
    "application/pdf",
    (size) => pdfOf(...Array.from({ length: size / 500 }, (_, at) => `Page ${at}`)),
  ],
  "words of a PDF": ["application/pdf", (size) => pdfOf(full("word ")(size))],
  "instructions of a PDF": ["application/pdf", (size) => pdfOf(full("a) Tj T* (b")(size))],
  "brackets of a PDF": ["application/pdf", (size) => pdfOf(`${full("(")(size)}${full(")")(size)}`)],
  "cells of a Word document": [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    (size) => docxOf(full("<w:tc><w:p><w:t>a</w:t></w:p></w:tc>")(size)),
  ],
  "cells of a sheet": [
    workbook,
    (size) => xlsxOf([full("<c><v>1</v></c>", "<sheetData><row>", "</row></sheetData>")(size)]),
  ],
  "rows of a sheet": [
    workbook,
    (size) => xlsxOf([full('<row><c r="XFD1"><v>1</v></c></row>', "<sheetData>")(size)]),
  ],
  "columns of a sheet": [
    workbook,
    (size) => xlsxOf([full('<col min="1" max="16384" hidden="1"/>')(size)]),
  ],
  "cells with one long text": [workbook, repeatedText],
  "sheets of a workbook": [
    workbook,
    (size) => xlsxOf(Array.from({ length: size / 500 }, () => "<row><c><v>1</v></c></row>")),
  ],
  slides: [
    slides,
    (size) =>
      pptxOf(...Array.from({ length: size / 500 }, (): [string, string] => ["", "<a:t>x</a:t>"])),
  ],
  "paragraphs of a slide": [slides, (size) => pptxOf(["", full("<a:p><a:t>x</a:t></a:p>")(size)])],
  "paragraphs of an OpenDocument text": [
    openDocument,
    (size) => odfOf(full("<text:p>a</text:p>")(size)),
  ],
  "elements deep in an OpenDocument text": [
    openDocument,
    (size) => odfOf(full("<text:span>", "<text:p>", "a")(size)),
  ],
  "blanks of an OpenDocument text": [
    openDocument,
    (size) => odfOf(full('<text:s text:c="9"/>', "<text:p>", "a")(size)),
  ],
  "groups of an RTF document": ["application/rtf", (size) => bare(full("{a}", "{\\rtf1 ")(size))],
  "bytes of an RTF document": ["application/rtf", (size) => bare(full("\\'e4", "{\\rtf1 ")(size))],
  "code pages of an RTF document": [
    "application/rtf",
    (size) => bare(full("\\ansicpg1251\\'e4 x", "{\\rtf1 ")(size)),
  ],
  "empty cells of an RTF document": [
    "application/rtf",
    (size) => bare(full("\\cell \\~", "{\\rtf1 ", "x")(size)),
  ],
  "attachments of a file of Outlook": [
    outlook,
    (size) =>
      tnefOf(
        undefined,
        Array.from({ length: size / 200 }, (_, at) => [`a${at}`, "text"]),
      ),
  ],
  "bodies of a file of Outlook": [outlook, (size) => claimedBodies(size)],
  "rows of a table": ["text/csv", (size) => bare(full("a,b,c\r\n")(size))],
  "quotes of a table": ["text/csv", (size) => bare(full('"')(size))],
  events: [
    "text/calendar",
    (size) =>
      bare(full("BEGIN:VEVENT\r\nSUMMARY:a\r\nEND:VEVENT\r\n", "BEGIN:VCALENDAR\r\n")(size)),
  ],
  "parameters of an attendee": [
    "text/calendar",
    (size) => bare(full(';CN="a"', "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nATTENDEE", ":x")(size)),
  ],
};

const from = "From a@b.example Mon Jan  5 09:00:00 2026\n";
const archives: Shapes = {
  messages: full(`${from}Subject: a\n\nhello\n\n`),
  lengths: full(`${from}Content-Length: 6\n\nhello\n\n`),
  "lengths that are wrong": full(`${from}Content-Length: 999999\n\nhello\n\n`),
  "lines like separators": full("\nFrom a Mon Jan 5 ", from),
  "quoted separators": full(">From a\n", `${from}\n`),
};

const queries: Shapes = {
  words: full("ab "),
  operators: full("from:a OR "),
  brackets: full("{(", "", ")}"),
  "quotation marks": full('"a b" -"'),
};

describe("twice the size takes at most two and a half times as long", () => {
  it.each(Object.entries(pages))("in a page with many %s", async (_, make) => {
    expect(await growthBy2(make, readHtml, 120_000, most)).toBeLessThan(most);
  });

  it.each(Object.entries(messages))("in a message with many %s", async (_, make) => {
    const input = (size: number): Uint8Array => bare(make(size));
    const parse = (raw: Uint8Array) => parseMessage(raw, receivedAt, true);
    expect(await growthBy2(input, parse, 50_000, most)).toBeLessThan(most);
  });

  it.each(Object.entries(attachments))("in an attachment with many %s", async (_, [type, make]) => {
    const read = (content: Uint8Array) => attachmentText(content, type, undefined);
    expect(await growthBy2(make, read, 100_000, most)).toBeLessThan(most);
  });

  it.each(Object.entries(archives))("in an archive with many %s", async (_, make) => {
    const folder = temporaryDirectory();
    const input = (size: number): string => {
      const path = join(folder, String(size));
      writeFileSync(path, make(size));
      return path;
    };
    const read = async (path: string): Promise<void> => {
      for await (const _message of mboxMessages(path, 1_000_000));
    };
    expect(await growthBy2(input, read, 200_000, most)).toBeLessThan(most);
  });

  it.each(Object.entries(queries))("in a query with many %s", async (_, make) => {
    const read = (query: string) => {
      const { expression } = readQuery(query, receivedAt);
      return expression && ftsExpression(expression);
    };
    expect(await growthBy2(make, read, 20_000, most)).toBeLessThan(most);
  });
});

// Each found value was searched in the whole text, with a pattern of its own.
it("finds many different codes and links again in one pass", async () => {
  const lines = each(
    70,
    (at) =>
      `your code is ${100_000 + at}\nreset your password https://b.example/reset?token=${at}ab\n`,
  );
  expect(await growthBy2(lines, (text) => hideCodes("", text), 400_000, most)).toBeLessThan(most);
});

// A file of 59 kB took 1.2 s, because each of its small bodies claimed to be 4 GB and got 8 MiB of memory.
it("reads a body of Outlook in time that is proportional to its bytes and not to its claim", async () => {
  let made = 0;
  const claims = () => claimedBodies(50_000, (made += 1) % 2 === 1 ? 40 : 0xffff_ffff);
  const read = (content: Uint8Array) => attachmentText(content, outlook, undefined);
  expect(await growthBy2(claims, read, 1, 4)).toBeLessThan(4);
});

describe("a page that was read", () => {
  // The looks of elements were kept for ever, under the page's own look, and the thread ran out of memory.
  it("leaves nothing in memory", () => {
    const styled = (at: number) =>
      readHtml(`<p style="--a${at}:${"x".repeat(3_900)}">a</p>`.repeat(3));
    for (let at = 0; at < 500; at += 1) styled(at);
    const before = heapInUse();
    for (let at = 500; at < 2_500; at += 1) styled(at);
    // Kept styles of that size were 16 MB.
    expect(heapInUse() - before).toBeLessThan(5_000_000);
  });
});
