import { describe, expect, it } from "vitest";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";
import { sentenceBehind } from "../../src/ingest/codes/learned/sentences.ts";
import { numbers, readMail } from "../fixtures/codes.ts";

describe("sign-in codes in other forms", () => {
  // Numbers of two digits were no candidates, so that the weights never judged them.
  it.each([
    [
      "84",
      "Approve your sign in",
      "Open the Authenticator app and enter the number 84 to approve.",
    ],
    ["37", "Okta Verify", "Someone is trying to sign in.\nMatch this number in Okta Verify: 37"],
    ["52", "Connexion", "Pour approuver la demande, saisissez le nombre 52 dans l'application."],
    ["69", "登录批准", "请在验证器应用中输入数字 69 以批准登录。"],
  ])("are hidden in a request to match the number %s on another device", (code, subject, text) => {
    expect(hideCodes(subject, text).text).not.toContain(code);
  });

  it.each([
    ["Approve your timesheet", "Open the app, sign in and approve the 37 hours of week 45."],
    ["Your place in the queue", "You are number 58 in the queue. Sign in to the app to follow it."],
    ["Sign-in sheet", "Please enter the number of guests: 26 adults. Push the door hard."],
  ])("are no numbers of two digits in the message %s", (subject, text) => {
    expect(hideCodes(subject, text)).toMatchObject({ text, hidden: 0 });
  });

  // Only cells with one digit were candidates.
  it.each(["415 | 087", "HXQ | - | 4MZ", "44 | 18 | 90"])(
    "are hidden in groups that are cells of one row: %s",
    (code) => {
      const text = `Hello,\n\nYour verification code:\n\n${code}\n\nIt expires in 10 minutes.`;
      expect(hideCodes("Confirm it's you", text).text).not.toContain(code);
    },
  );

  it.each([
    ["Darts league", "Scores by leg:\n\n180 | 141\n\nNext game Tuesday."],
    ["Score update", "4 | 1 | 7 | 7 | 2 | 0\n\nFinal frame scores for lane 6."],
  ])("are no cells with other numbers: %s", (subject, text) => {
    expect(hideCodes(subject, text)).toMatchObject({ text, hidden: 0 });
  });

  // Neither form was a candidate.
  it.each([
    ["448 - 120", "les chiffres", "ma chérie, le code de la banque est 448 - 120, vite"],
    ["771 – 204", "die Zahl", "Liebe Mira, dein Anmeldecode ist 771 – 204, bitte eintragen"],
    ["884102", "netflix", "登录验证码又来了,884102 快填"],
  ])(
    "are hidden if groups have a sign between them or a comma before them: %s",
    (code, subject, text) => {
      expect(hideCodes(subject, text).text).not.toContain(code);
    },
  );

  it.each(["1664", "59817"])("stay readable in a message of a number alone: %s", (text) => {
    expect(hideCodes("", text)).toMatchObject({ text, hidden: 0 });
  });

  it("are no names of security advisories", () => {
    const text = "Bump jose from 5.9.6 to 6.0.11. Advisory GHSA-7xkq-2m9r-4t8z.";
    expect(hideCodes("Dependabot", text).hidden).toBe(0);
  });

  it("are in sentences that end with the signs of Hindi and Arabic", () => {
    expect(sentenceBehind("कोड 4471 है। ऑर्डर", 0)).toEqual({ start: 0, end: 11 });
    expect(sentenceBehind("ما الرمز؟ الطلب", 0)).toEqual({ start: 0, end: 8 });
  });

  // The marks of some scripts counted as letters, so that a number before them was no candidate.
  it.each([
    ["رمز التحقق", "رمز تأكيد التحويل هو 604419، لا تشاركه مع أي شخص."],
    ["تصدیقی کوڈ", "آپ کا تصدیقی کوڈ 604419۔ کسی کو نہ بتائیں۔"],
    ["लॉगिन कोड", "आपका लॉगिन कोड 604419। किसी को न बताएं।"],
  ])("are hidden before marks of other scripts: %s", (subject, text) => {
    expect(hideCodes(subject, text).text).not.toContain("604419");
  });

  it("are hidden in groups of small letters, capitals and digits", () => {
    const text = "Your licence check code is aB7 kQ2 Xz. Only give it to the hire firm.";
    expect(hideCodes("Share your licence", text).text).not.toContain("aB7 kQ2 Xz");
  });

  // Tabs and new lines in the codes of the corpora were compared as they are written, so that such codes always counted as
  // hidden, and were learned as something else.
  it("are read from the corpora with their tabs and new lines", () => {
    const line = String.raw`en|Code|Enter «4\t7\t1» or\n\n«8\n2»`;
    expect(readMail(line, 1, numbers(1)).secrets).toEqual(["4\t7\t1", "8\n2"]);
  });

  // Links without a digit, and long values inside a sentence, were left out before the weights judged them.
  it.each([
    [
      "Approve the address",
      "Approve: https://www.kite.example/approve?code=QZTRN-LWOPX-NCVEBY\nYou asked to add an address.",
      "QZTRN",
    ],
    [
      "Confirm your subscription",
      "To confirm that lee@acme.example wants to join the list, reply with this subject: confirm 7f1577c9853ab6189d35",
      "7f1577c9853ab6189d35",
    ],
  ])("are hidden as letters of a link and as long values: %s", (subject, text, token) => {
    expect(hideCodes(subject, text).text).not.toContain(token);
  });

  // The sentence that names a code in the subject did not count as its sentence.
  it.each([
    ["7703 — Ridely", "Es el código para entrar en tu cuenta. No se lo des a nadie."],
    ["7703 | Ridely", "Hallo Kim,\n\ndas ist der Code für deine Anmeldung."],
  ])("are hidden beside a name in the subject: %s", (subject, text) => {
    expect(hideCodes(subject, text).subject).not.toContain("7703");
  });

  it("are not the password of an Arabic guest network", () => {
    const text = "كلمة مرور الواي فاي للضيوف: jawz-2025. أهلا بكم";
    expect(hideCodes("الإنترنت", text)).toMatchObject({ text, hidden: 0 });
  });
});
