import { beforeAll, describe, expect, it } from "vitest";
import { docxOf, pdfOf } from "../fixtures/documents.ts";
import { suiteThatIngests } from "../servers/ingest-world.ts";
import { runCommandHere } from "../servers/ingest.ts";

type File = readonly [type: string, name: string | undefined, content: Uint8Array | string];

function mail(subject: string, body: string, ...files: readonly File[]): string {
  const parts = files.map(([type, name, content]) =>
    [
      "--b",
      `Content-Type: ${type}`,
      `Content-Disposition: attachment${name === undefined ? "" : `; filename="${name}"`}`,
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(content).toString("base64"),
    ].join("\r\n"),
  );
  return [
    `From: ann@shop.example\r\nSubject: ${subject}\r\nContent-Type: multipart/mixed; boundary=b\r\n`,
    `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}`,
    ...parts,
    "--b--\r\n",
  ].join("\r\n");
}

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const event = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:1",
  "DTSTART:20260301T090000Z",
  "SUMMARY:Zeppelin launch",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");
const docx = docxOf("<w:p><w:r><w:t>The tenant keeps a walrus</w:t></w:r></w:p>");

describe("the text of attachments", () => {
  const world = suiteThatIngests();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const mails = {
      pdf: mail("Papers", "See below.", [
        "application/pdf",
        "lease.pdf",
        pdfOf("A kestrel nests here"),
      ]),
      docx: mail("Contract", "Please sign.", [word, "Vertrag für Müller.docx", docx]),
      ics: mail("Invitation", "Come.", ["application/ics", "launch.ics", event]),
      csv: mail(
        "Numbers",
        "Two tables.",
        ["text/csv", "a.csv", "city,price\nOslo,1\n"],
        ["text/csv", "b.csv", "city,price\nQuito,2\n"],
      ),
      unnamed: mail("Scan", "Scanned.", ["application/pdf", undefined, pdfOf("ibex")]),
      broken: mail("Locked", "Encrypted.", [
        "application/pdf",
        "locked.pdf",
        "%PDF-1.7 kestrel unreadable",
      ]),
      body: mail("Birds", "A kestrel flew by."),
      long: mail(
        "Book",
        "All of it.",
        ["text/plain", "book.txt", `${"word ".repeat(120_000)} okapi`],
        ["text/plain", "more.txt", "lemur"],
      ),
    };
    for (const [name, raw] of Object.entries(mails)) ids[name] = await world.arrived(raw);
  }, 120_000);

  const found = async (query: string) =>
    (await world.stores.mail.search({ query, limit: 20 })).hits;
  const namesOf = async (query: string): Promise<string[]> =>
    (await found(query)).map(({ emailId }) =>
      Object.keys(ids).find((name) => ids[name] === emailId)!,
    );

  it.each([
    ["kestrel nests", "pdf", "lease.pdf", "kestrel nests"],
    ["walrus", "docx", "Vertrag für Müller.docx", "keeps a walrus"],
    ["walr", "docx", "Vertrag für Müller.docx", "keeps a walrus"],
    ["zeppelin", "ics", "launch.ics", "Zeppelin launch"],
    ["quito", "csv", "b.csv", "Quito"],
    ["oslo", "csv", "a.csv", "Oslo"],
    ["ibex", "unnamed", undefined, "ibex"],
    ["numbers quito", "csv", "b.csv", "Quito"],
  ])(
    "is searched, and a hit names the attachment: %s [mail.attachment-search]",
    async (query, name, file, text) => {
      const [hit, ...others] = await found(query);
      expect(others).toEqual([]);
      expect(hit?.emailId).toBe(ids[name]);
      expect(hit?.foundIn?.name).toBe(file);
      const { attachments } = await world.stores.mail.read(ids[name]!, { offset: 0, length: 1 });
      expect(attachments.find((one) => one.name === file)?.attachmentId).toBe(
        hit?.foundIn?.attachmentId,
      );
      expect(hit?.snippet).toContain(text);
    },
  );

  it("has less weight than the mail's own text [mail.attachment-search]", async () => {
    expect(await namesOf("kestrel")).toEqual(["body", "pdf"]);
    const [own, attached] = await found("kestrel");
    expect(own).not.toHaveProperty("foundIn");
    expect(attached).toHaveProperty("foundIn");
  });

  it("is not searched for subject terms, and counts for exclusions", async () => {
    expect(await namesOf("subject:walrus")).toEqual([]);
    expect(await namesOf("kestrel -nests")).toEqual(["body"]);
  });

  it("is searched up to a limit, and not beyond it", async () => {
    expect(await namesOf("word")).toEqual(["long"]);
    expect(await namesOf("okapi")).toEqual([]);
    expect(await namesOf("lemur")).toEqual([]);
  });

  it.each([
    ["filename:pdf", ["broken", "pdf", "unnamed"]],
    ["filename:PDF", ["broken", "pdf", "unnamed"]],
    ["filename:lease", ["pdf"]],
    ["filename:lea", ["pdf"]],
    ["filename:ease", []],
    ["filename:lease.pdf", ["pdf"]],
    ['filename:"vertrag für muller"', ["docx"]],
    ['filename:"vertr"', []],
    ["filename:docx", ["docx"]],
    ["filename:(pdf OR csv)", ["broken", "csv", "pdf", "unnamed"]],
    ["{filename:csv filename:docx}", ["csv", "docx"]],
    ["has:attachment -filename:pdf", ["csv", "docx", "ics", "long"]],
    ["filename:pdf kestrel", ["pdf"]],
    ["filename:pdf -filename:locked", ["pdf", "unnamed"]],
    ["filename:csv OR subject:birds", ["body", "csv"]],
  ])("is found by its file name: %j finds %j [mail.query]", async (query, names) => {
    expect((await namesOf(query)).toSorted()).toEqual(names);
  });

  it.each([
    ["filename:pdf", "pdf", "lease.pdf"],
    ["filename:lea -filename:locked", "pdf", "lease.pdf"],
    ["filename:b.csv", "csv", "b.csv"],
    ["filename:csv quito", "csv", "b.csv"],
    ["filename:csv OR subject:birds", "csv", "a.csv"],
    ["subject:numbers -filename:pdf", "csv", undefined],
  ])("a hit of %j names the file [mail.attachment-search]", async (query, name, file) => {
    const hit = (await found(query)).find(({ emailId }) => emailId === ids[name]);
    expect(hit).toBeDefined();
    expect(hit?.foundIn?.name).toBe(file);
  });

  it("is no longer found after its mail is deleted [mail.delete]", async () => {
    const id = await world.arrived(
      mail("Gone soon", "x", ["text/plain", "a.txt", "a numbat in it"]),
    );
    expect(await found("numbat")).toHaveLength(1);
    expect((await runCommandHere(world.dataDir, ["mail", "delete", id])).status).toBe(0);
    expect(await found("numbat")).toEqual([]);
    expect(await found("filename:a.txt")).toEqual([]);
    const { rows } = await world.stores.database.read({
      sql: "SELECT 1 FROM mail_vocab WHERE term = 'numbat'",
      args: [],
    });
    expect(rows).toEqual([]);
  });
});
