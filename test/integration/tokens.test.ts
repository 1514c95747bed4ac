import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { likelyTokens } from "../../src/core/shared/tokens.ts";

/** Bytes without sense, the same each time. */
const noise = Buffer.concat(
  Array.from({ length: 200 }, (_, round) => createHash("sha256").update(`${round}`).digest()),
);

const texts = {
  English: "The quick brown fox jumps over the lazy dog. ",
  German: "Bitte prüfen Sie die Rechnungsangelegenheiten bis Freitag. ",
  French: "Veuillez vérifier le contrat avant vendredi, s'il vous plaît. ",
  Polish: "Proszę sprawdzić umowę przed piątkiem i odesłać ją do biura. ",
  Turkish: "Lütfen sözleşmeyi cumaya kadar inceleyip imzalayın. ",
  Vietnamese: "Vui lòng kiểm tra hợp đồng trước thứ Sáu. ",
  Russian: "Пожалуйста, проверьте договор до пятницы. ",
  Greek: "Παρακαλώ ελέγξτε το συμβόλαιο. ",
  Arabic: "يرجى مراجعة العقد قبل يوم الجمعة. ",
  Hebrew: "אנא בדוק את החוזה לפני יום שישי. ",
  Hindi: "कृपया शुक्रवार से पहले अनुबंध की जाँच करें। ",
  Thai: "กรุณาตรวจสอบสัญญาและลงนามก่อนวันศุกร์",
  Chinese: "请在星期五之前审查合同并签字，然后把它寄回办公室。",
  Japanese: "金曜日までに契約書を確認して署名し、事務所に返送してください。",
  Korean: "금요일까지 계약서를 검토해 주세요. ",
  Amharic: "እባክዎን ውሉን ከዓርብ በፊት ይፈትሹ። ",
  "rare characters": "㐀㐁㐂㐃㐄㐅",
  emoji: "🎉👨‍👩‍👧🏳️‍🌈🤷🏽",
  digits: "0123456789 9876543210,",
  punctuation: "{[(<;:!?%&/$§=~#*+->|",
  "line ends": "\n\n\t\n  \n",
  base64: noise.toString("base64"),
  hexadecimal: noise.toString("hex"),
  addresses: "https://example.org/a/b?utm_source=x1y2&id=8f3a ",
  JSON: '{"id":"em_abc123","n":12,"ok":true},',
  code: "const x = foo(bar[i], { a: 1 }) ?? undefined;\n",
};

describe("the estimated cost of a text [pages.tokens]", () => {
  it.each(Object.entries(texts))(
    "is at most a little too low, and not far too high: %s",
    (_name, part) => {
      const text = part.repeat(Math.ceil(6_000 / part.length));
      const ratio = likelyTokens(text) / countTokens(text);
      expect(ratio).toBeGreaterThan(0.85);
      expect(ratio).toBeLessThan(2.6);
    },
  );

  it("is zero for an empty text", () => {
    expect(likelyTokens("")).toBe(0);
  });
});
