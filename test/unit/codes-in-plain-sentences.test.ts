import { describe, expect, it } from "vitest";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";

/** A message about something else, by which the learned weights would judge the sentence below it. */
const bill = "Invoice 77120 of 14 March.\nAmount due: 210.00 EUR, customer number 88213.\n\n";

describe("codes in plain sentences", () => {
  it.each([
    "Your sign-in code is 482913. Do not share it.",
    "Your one-time code: *482913*",
    "Dein Anmeldecode lautet: 482913",
    "Votre code de vérification est 482913.",
    "Tu código de verificación es 482913.",
    "Seu código de verificação é: 482913",
    "認証コード：482913",
    "您的登录验证码为 482913，请勿告知他人。",
  ])("are found in a message about something else: %s", (sentence) => {
    expect(hideCodes("Invoice 77120", bill + sentence).values).toEqual(["482913"]);
  });

  // A code was looked for behind its name only, and in no Korean text.
  it.each([
    "Use 482913 as the one-time password for publishing.",
    "您的验证码为482913，请勿告知他人。",
    "인증번호는 482913입니다.",
  ])("are found before their name and in other writings: %s", (sentence) => {
    expect(hideCodes("Invoice 77120", bill + sentence).values).toEqual(["482913"]);
  });

  // The search left out digits directly before Korean and Japanese letters, and single digits in two groups.
  it.each([
    { subject: "ネトフリ", text: "コード来たよ、8204だって。早めに入れてね", code: "8204" },
    { subject: "인증번호 안내", text: "[나우] 482019를 입력해 주세요.", code: "482019" },
    { subject: "转账", text: "短信口令为77 31 06，不要告诉别人", code: "77 31 06" },
    {
      subject: "Verify your email",
      text: "Enter this code:\n2 9 0 – 7 7 4",
      code: "2 9 0 – 7 7 4",
    },
  ])("are found in the form of $code", ({ subject, text, code }) => {
    expect(hideCodes(subject, text).values).toEqual([code]);
  });

  // Only the first 200 numbers of a text were read.
  it("are found below a long list of numbers", () => {
    const list = Array.from({ length: 400 }, (_, at) => `${40_000 + at}\t${7_000 + at}`).join("\n");
    const { text } = hideCodes("Stock", `${list}\n\nYour sign-in code is 482913.`);
    expect(text).toBe(`${list}\n\nYour sign-in code is [hidden: sign-in code].`);
  });

  it.each([
    "Your confirmation code for the flight is 482913.",
    "The verification code is 482913.50 EUR short of the total.",
    "The sign-in code is in C-482913, section 4.",
    "Ticket 482913 is about the verification code.",
  ])("are no codes of a message about something else: %s", (sentence) => {
    expect(hideCodes("Invoice 77120", bill + sentence).values).toEqual([]);
  });

  // A person quoted a text message about a code beside one about a parcel, and the code stayed readable.
  it.each([
    "Your Lyftly code is 4482. Don't share it.",
    "Ne partagez jamais ce code. Votre code Vintud : 4482.",
    "Dein Zahlwerk-Code lautet 4482. Gib ihn niemals weiter!",
    "Tu código de Mercadito es 4482. No lo compartas con nadie.",
    "Il codice Subitto è 4482. Non condividerlo con nessuno.",
    "O seu código Carteira é 4482. Não partilhe este código.",
    "Je Buurtapp-code is 4482. Deel deze met niemand.",
    "Kod do aplikacji: 4482. Nikomu go nie podawaj.",
  ])("are found beside a warning not to share them: %s", (sentence) => {
    const text = `Two came in:\n\n"${sentence}"\n"Parcel H01HYA0048210 comes 10:14-12:14."`;
    expect(hideCodes("Re: my texts", bill + text).values).toEqual(["4482"]);
  });

  it.each([
    "Discount code: 4482. Share it with your friends!",
    "The code of the shed is 4482. Please do not forget the light.",
    "We never share your data. Your order code is AB-4482-77.",
    "Your locker is 659, its code is 4482. Please do not share it.",
    'Never tell anyone a code, for example "Your code is 4482".',
  ])("stay readable without a warning, at a locker or as an example: %s", (sentence) => {
    expect(hideCodes("Invoice 77120", bill + sentence).values).toEqual([]);
  });

  // A person quoted a text message, and the weights judged it as an example in a warning of fraud.
  it.each([
    'Da stand: "Lidlo Plus: 7719 ist dein Code zur Bestätigung." Also schnell!',
    "\"CIC Plus: pour valider l'ajout du bénéficiaire, code 7719.\" C'est bien toi ?",
    '"BancoDouro: codigo 7719 p/ adesao MB Way."',
    '"Bunqo: 7719 is je bevestigingscode."',
    "It says “Lyftly: 7719 is your code”, is that you?",
  ])("are found in a quoted text message: %s", (sentence) => {
    expect(hideCodes("from your phone", sentence).values).toEqual(["7719"]);
  });

  it.each([
    'Scammers write "Bunqo: 7719 is your code" and then call you.',
    'The sign says "Door: the code is 7719".',
    'It says "Hermia: pickup code 7719 for your parcel".',
  ])("stay readable in a quoted warning, or in a quotation about a parcel: %s", (sentence) => {
    expect(hideCodes("from your phone", sentence).values).toEqual([]);
  });

  // The names were those of nine languages, and passwords were left to the weights.
  it.each([
    ["482913", "Kod do autoryzacji: 482913"],
    ["482913", "Kod SMS: 482913"],
    ["482913", "Doğrulama kodunuz: 482913"],
    ["482913", "Код подтверждения: 482913"],
    ["482913", "Din inloggningskod är: 482913"],
    ["Walnut88!", "You can log in as demo / Walnut88! and click Reports."],
    ["Cigale!1987", "Please log in as tresorier@asso.example / Cigale!1987"],
    ["heron-81-mill", "Files: https://drop.example/f/k2LmX0pT\nPassword: heron-81-mill"],
    ["Biber2207", "Das Kennwort lautet Biber2207."],
    ["7KQ2 MX0P TZ4V BN7Q W8RT LH3S", "Recovery code: 7KQ2 MX0P TZ4V BN7Q W8RT LH3S"],
  ])("are found in other languages, and as passwords that are stated: %s", (value, sentence) => {
    expect(hideCodes("Invoice 77120", bill + sentence).values).toContain(value);
  });

  it.each([
    "The guest wifi is Cafe.\nPassword: latte4you",
    "Das Kennwort muss 12 Zeichen haben und läuft nach 90d ab.",
    "The accounts ida / omar#2 were merged, see user kim / ticket#4471.",
    "Kod wysyłki: 482913, kod pocztowy 30-204.",
  ])("stay readable as passwords of a guest network, and beside other names: %s", (sentence) => {
    expect(hideCodes("Invoice 77120", bill + sentence).values).toEqual([]);
  });

  // Passwords were read only at the end of their line, and behind their full name.
  it.each([
    [
      "Re: Fw: locked out",
      "Tom - your temp pw is Harbour-Mist-88. Ring me on 4471 if it fails.",
      "Harbour",
    ],
    [
      "Desk 12",
      "Login until Friday. user: ext-448 pass: Quarry_19_Lamp. Badges at reception.",
      "Quarry",
    ],
  ])("are hidden as passwords inside a line: %s", (subject, text, secret) => {
    expect(hideCodes(subject, text).text).not.toContain(secret);
  });

  it.each([
    ["Your boarding pass", "Boarding pass: Seat-22C. Gate closes at 05:55."],
    ["Guest Wi-Fi", "Network OAK-GUEST, password Maple-River-25. It works in hall 7."],
  ])("are no passes and passwords of a guest network: %s", (subject, text) => {
    expect(hideCodes(subject, text)).toMatchObject({ text, hidden: 0 });
  });
});
