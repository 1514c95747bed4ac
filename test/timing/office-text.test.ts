import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { growthBy2 } from "../fixtures/growth.ts";
import { docxOf, odfOf, packedRtf, pptxOf, tnefOf, xlsxOf } from "../fixtures/documents.ts";

async function read(content: Uint8Array | string, name: string): Promise<string> {
  const text = await attachmentText(Buffer.from(content), "application/octet-stream", name);
  return Buffer.from(text ?? "").toString();
}

const note = "\n\n[1 invisible passage was removed]";
const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const cell = (name: string, value: string, attributes = ""): string =>
  `<c r="${name}"${attributes}><v>${value}</v></c>`;

describe("a Word document", () => {
  it.each([
    ["hidden", "<w:vanish/>"],
    ["white", '<w:color w:val="FFFFFF"/>'],
    ["tiny", '<w:sz w:val="2"/>'],
  ])("leaves out text that is %s, and says so", async (_how, properties) => {
    const document = docxOf(`<w:p>${run("Tea")}${run("secret", properties)}</w:p>`);
    expect(await read(document, "a.docx")).toBe(`Tea${note}`);
  });

  it("leaves out text whose style hides it", async () => {
    const body = `<w:p>${run("Tea")}${run("secret", '<w:rStyle w:val="h"/>')}</w:p>`;
    const file = zipSync({
      "word/document.xml": strToU8(`<w:document>${body}</w:document>`),
      "word/styles.xml": strToU8('<w:style w:styleId="h"><w:rPr><w:vanish/></w:rPr></w:style>'),
    });
    expect(await read(file, "a.docx")).toBe(`Tea${note}`);
  });

  it.each([
    ["is not hidden after all", "<w:vanish w:val='0'/>".replaceAll("'", '"')],
    ["is white on a shade", '<w:color w:val="FFFFFF"/><w:shd w:fill="003366"/>'],
    ["is small", '<w:sz w:val="12"/>'],
  ])("keeps text that %s", async (_how, properties) => {
    expect(await read(docxOf(`<w:p>${run("Tea", properties)}</w:p>`), "a.docx")).toBe("Tea");
  });

  it("keeps white text of a table, whose style may be dark", async () => {
    const text = run("Tea", '<w:color w:val="FFFFFF"/>');
    const table = `<w:tbl><w:tr><w:tc><w:p>${text}</w:p></w:tc></w:tr></w:tbl>`;
    expect(await read(docxOf(table), "a.docx")).toBe("Tea");
  });
});

describe("a workbook", () => {
  it("has a line for each row, with texts, numbers, dates and formulas", async () => {
    const rows = `<row>${cell("A1", "0", ' t="s"')}${cell("B1", "3.5")}${cell("D1", "46083.5", ' s="1"')}</row><row><c r="A2" t="inlineStr"><is><t>Milk</t></is></c><c r="B2"><f>SUM(B1)</f></c></row>`;
    const file = xlsxOf([rows], {
      strings: "<si><r><t>Te</t></r><r><t>a &amp; cake</t></r><rPh><t>x</t></rPh></si>",
      styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs>',
    });
    expect(await read(file, "a.xlsx")).toBe(
      "Sheet 0\nTea & cake | 3.5 |  | 2026-03-02 12:00\nMilk | =SUM(B1)",
    );
  });

  it.each([
    [
      "sheet",
      xlsxOf([`<row>${cell("A1", "7")}</row>`, `<row>${cell("A1", "42")}</row>`], {
        attributes: ["", 'state="veryHidden"'],
      }),
    ],
    ["row", xlsxOf([`<row>${cell("A1", "7")}</row><row hidden="1">${cell("A2", "42")}</row>`])],
    [
      "column",
      xlsxOf([
        `<cols><col min="2" max="3" hidden="1"/></cols><row>${cell("A1", "7")}${cell("B1", "42")}</row>`,
      ]),
    ],
  ])("leaves out a hidden %s, and says so", async (_what, file) => {
    expect(await read(file, "a.xlsx")).toBe(`Sheet 0\n7${note}`);
  });

  it("stops at the limit if many cells name one long text", async () => {
    const file = xlsxOf([`<row>${cell("A1", "0", ' t="s"')}</row>`.repeat(20_000)], {
      strings: `<si><t>${"a".repeat(30_000)}</t></si>`,
    });
    expect((await read(file, "a.xlsx")).length).toBeLessThan(2_100_000);
  });

  it("takes linear time", async () => {
    const rows = (size: number): Uint8Array =>
      xlsxOf([
        `<cols>${'<col min="1" max="9" hidden="1"/>'.repeat(size)}</cols>${`<row>${cell("A1", "1")}</row>`.repeat(size)}`,
      ]);
    expect(await growthBy2(rows, (file) => read(file, "a.xlsx"), 20_000, 2.5)).toBeLessThan(2.5);
  });
});

describe("a presentation", () => {
  it("has the text of its slides without hidden ones", async () => {
    const words = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const file = pptxOf(["", words("Title") + words("Tea")], [' show="0"', words("secret")]);
    expect(await read(file, "a.pptx")).toBe(`Title\nTea${note}`);
  });
});

describe("an OpenDocument file", () => {
  it("has the text of its paragraphs without hidden words and comments", async () => {
    const hide =
      '<style:style style:name="h"><style:text-properties text:display="none"/></style:style>';
    const body =
      '<text:h>Head</text:h><text:p>Tea<text:span text:style-name="h">secret</text:span><text:s text:c="2"/>now<office:annotation><text:p>note</text:p></office:annotation></text:p>';
    expect(await read(odfOf(body, hide), "a.odt")).toBe(`Head\nTea  now${note}`);
  });

  it("has the rows of its sheets without hidden ones", async () => {
    const row = (text: string, attributes = ""): string =>
      `<table:table-row${attributes}><table:table-cell><text:p>${text}</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
    const body = `<table:table table:name="Costs">${row("Tea")}${row("secret", ' table:visibility="collapse"')}</table:table>`;
    expect(await read(odfOf(body), "a.ods")).toBe(`Costs\nTea${note}`);
  });
});

describe("a message of Outlook", () => {
  const file = tnefOf(packedRtf, [
    ["Grüße.txt", "Tea"],
    ["../a\u202Egnp.exe", "MZ"],
  ]);

  it("has its body, and the names and texts of its attachments", async () => {
    expect(await read(file, "winmail.dat")).toBe(
      "hello world\n\nAttachment: Grüße.txt\nTea\n\nAttachment: agnp.exe",
    );
  });

  it("is read up to a cut, and with any byte changed", async () => {
    for (let at = 6; at < file.length; at += 1) {
      const changed = Uint8Array.from(file);
      changed[at] = 0xff;
      await expect(read(changed, "winmail.dat")).resolves.toBeTypeOf("string");
      await expect(read(file.subarray(0, at), "winmail.dat")).resolves.toBeTypeOf("string");
    }
  });

  it("is no source of others in it", async () => {
    const inner = Buffer.from(file).toString("latin1");
    expect(await read(tnefOf(undefined, [["winmail.dat", inner]]), "winmail.dat")).toBe(
      "Attachment: winmail.dat",
    );
  });

  it.each([
    [
      "attachments",
      (size: number) =>
        tnefOf(
          undefined,
          Array.from({ length: size / 200 }, () => ["a.txt", "a"]),
        ),
    ],
    [
      "bytes of its body",
      (size: number) =>
        tnefOf(
          Buffer.concat([
            Buffer.from("ffffffffffffff004c5a467500000000", "hex"),
            Buffer.alloc(size, "aab"),
          ]),
          [],
        ),
    ],
  ] as const)("takes linear time with many %s", async (_what, make) => {
    expect(await growthBy2(make, (one) => read(one, "winmail.dat"), 40_000, 2.5)).toBeLessThan(2.5);
  });
});

describe("an RTF document", () => {
  it("has its text without fonts, pictures and hidden words", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator x;}\uc1 Caf\'e9 {\v secret}\u8364?\par a\tab b\cell c\cell\row {\pict 0102}\{end\}}`;
    expect(await read(rtf, "a.rtf")).toBe(`Café €\na\tb | c\n{end}${note}`);
  });

  // White words were read, and all words behind tiny ones were lost.
  it.each([
    [String.raw`seen {\cf1 lost}`, "seen"],
    [String.raw`\cf1\'e4\cf2 seen`, "seen"],
    [String.raw`\fs2 lost\fs24 seen`, "seen"],
    [String.raw`\cf1 lost\plain seen`, "seen"],
    [String.raw`{\cf1\highlight2 seen}`, "seen"],
    [String.raw`\pard\cbpat2 {\cf1 seen}\par\pard {\cf1 lost}`, "seen"],
    [String.raw`\trowd\clcbpat2\cellx1\pard\intbl {\cf1 seen}\cell\row\pard {\cf1 lost}`, "seen"],
  ])("leaves out unreadable text in %s", async (text, seen) => {
    const colours = String.raw`{\colortbl;\red255\green255\blue250;\red0\green0\blue0;}`;
    const found = String(await read(`{\\rtf1\\ansi${colours}${text}}`, "a.rtf"));
    expect(found.replace(note, "").trim()).toBe(seen);
  });

  it.each([
    ["groups", "{\\b a}"],
    ["open groups", "{"],
    ["words", "\\par a"],
    ["characters", "\\'e9"],
    ["hidden words", "{\\v a}b"],
    ["colours", "{\\colortbl;}"],
  ])("takes linear time with many %s", async (_what, unit) => {
    const rtf = (size: number): string => `{\\rtf1 ${unit.repeat(size)}}`;
    expect(await growthBy2(rtf, (file) => read(file, "a.rtf"), 40_000, 2.5)).toBeLessThan(2.5);
  });
});
