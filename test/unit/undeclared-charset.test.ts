import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

async function read(message: Uint8Array) {
  const { envelope, text } = await parseMessage(message, new Date());
  return { envelope, text: Buffer.from(text).toString() };
}

const russian = "Здравствуйте, отправляю вам отчёт за ноябрь. С уважением, Иван";
const western = [
  "Grüße aus Köln, die Straße ist gesperrt. Müller",
  "Voilà l’été à la campagne, ça coûte 5 €",
  "MÜLLER STRASSE ÄÖÜ ÀÉÈ",
  "Åke åt köttbullar på fjället, så gott",
  "¿Dónde está el niño? ¡Mañana!",
  "São Paulo, não é? coração",
  "“Hello” – it’s fine…",
  "Þórður Sæmundsson",
  "°C ±5 µm • § 5 — ½ £",
  "————————————",
];

describe("a text without a character set", () => {
  // Every such text was read as windows-1252, and became `‚¨¢˜b` or `úÄÒÁ×ÓÔ`.
  it.each<readonly [name: string, charset: string, text: string]>([
    ["Shift_JIS", "shift_jis", "お世話になっております。明日の会議の件でご連絡いたしました。"],
    [
      "Shift_JIS with English",
      "shift_jis",
      "RE: 見積書. Please check by Friday. よろしくお願いします。",
    ],
    ["EUC-JP", "euc-jp", "お世話になっております。明日の会議の件です。"],
    ["GBK", "gbk", "您好，附件是本月的报告，请查收。谢谢！"],
    ["Big5", "big5", "您好，附件是本月的報告，請查收。謝謝！"],
    ["EUC-KR", "euc-kr", "안녕하세요. 내일 회의 일정을 알려 드립니다."],
    ["KOI8-R", "koi8-r", russian],
    ["windows-1251", "windows-1251", russian],
    ["windows-1253", "windows-1253", "Καλημέρα, σας στέλνω την αναφορά"],
    ["windows-1255", "windows-1255", "שלום, מצורף הדוח לחודש נובמבר. תודה"],
    ...western.map((text) => ["windows-1252", "windows-1252", text] as const),
  ])("is recognised as %s", async (_name, charset, text) => {
    const body = iconv.encode(text, charset);
    for (const type of ["", "Content-Type: text/plain; charset=us-ascii\r\n"]) {
      const head = Buffer.from(`From: a@b.example\r\n${type}\r\n`);
      expect((await read(Buffer.concat([head, body]))).text).toBe(text);
    }
    const page = Buffer.concat([
      Buffer.from("From: a@b.example\r\nContent-Type: text/html\r\n\r\n<p>"),
      body,
    ]);
    expect((await read(page)).text).toBe(text);
  });
});

describe("a header with unencoded bytes", () => {
  // Headers were read as windows-1252, although the text below them was in another set.
  it.each([
    ["KOI8-R", "koi8-r", "Отчёт за ноябрь", russian],
    ["Shift_JIS", "shift_jis", "会議の件", "お世話になっております。明日の会議の件です。"],
    ["GBK", "gbk", "本月报告", "您好，附件是本月的报告，请查收。谢谢！"],
  ])("is read like its text in %s", async (_name, charset, subject, text) => {
    const message = `From: ${subject} <a@b.example>\r\nSubject: ${subject}\r\n\r\n${text}`;
    expect(await read(iconv.encode(message, charset))).toMatchObject({
      envelope: { subject, from: { name: subject, address: "a@b.example" } },
      text,
    });
  });

  it("is read in the set that the text declares", async () => {
    const type = "Content-Type: text/plain; charset=iso-8859-2";
    const message = `From: a@b.example\r\nSubject: Zażółć jaźń\r\n${type}\r\n\r\nGęślą`;
    const { envelope, text } = await read(iconv.encode(message, "iso-8859-2"));
    expect([envelope.subject, text]).toEqual(["Zażółć jaźń", "Gęślą"]);
  });

  it("keeps the mark of an address, which could be half a character", async () => {
    const text = iconv.encode("お世話になっております。明日の会議の件です。", "shift_jis");
    const head = Buffer.from("From: ann\x81@b.example\r\n\r\n", "latin1");
    const { envelope } = await read(Buffer.concat([head, text]));
    expect(envelope.from.address).toMatch(/@b\.example$/);
  });
});
