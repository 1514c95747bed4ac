import { describe, expect, it } from "vitest";
import { hiddenCode } from "../../src/ingest/codes/hidden-code.ts";
import { codesOfName } from "../../src/ingest/codes/code-names.ts";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

describe("sign-in codes", () => {
  it("are hidden in a recovery phrase of other scripts and accents", () => {
    const phrases = [
      "苹果 河流 书桌 云朵 钥匙 山谷 雨伞 灯塔",
      "lagarta ponte limão vento garfo maçã trilho",
    ];
    for (const phrase of phrases)
      expect(hideCodes("助记词 / Frase de recuperação", `\n${phrase}\n`).text).not.toContain(
        phrase,
      );
  });

  it("are not seen in lines of small words", () => {
    const lines = [
      "thanks for the nice evening we all loved it very much",
      "this is the extract of patience, word by word.",
      "got your words about dinner, very kind. see you soon then and bring the kids along",
    ];
    for (const line of lines) expect(hideCodes("", `Hello,\n\n${line}\n`).hidden).toBe(0);
  });

  // Lines of small words were hidden if the mail had a word such as "secret" or "backup".
  it.each([
    ["Secret recipe", "please bring warm clothes and good shoes for saturday"],
    ["Backup", "vielen dank für deine liebe nachricht gestern abend"],
    ["Password list", "nous avons bien reçu votre colis hier matin merci"],
    ["Palabras", "muchas gracias por vuestra cena tan rica ayer"],
    ["Recovery of my knee", "milk eggs bread butter cheese apples onions garlic tomatoes rice"],
    ["Secret recipe", "latte uova pane burro formaggio mele cipolle aglio pomodori riso"],
  ])("are not seen in a line of small words below the subject %s", (subject, line) => {
    expect(hideCodes(subject, `Hello,\n\n${line}\n\nBest\nAnn`).hidden).toBe(0);
  });

  // Some codes of a list stayed readable.
  it.each([
    "8c2f-wq91\nt06k-lz54\nn7rd-3hvy",
    "- 88f1 02ac\n- 7d90 b6e4\n- 13c5 9a70\n- e4b8 5f21\n- 60d7 c83e",
    "1. 55aa-0z1k\n\n2. qq0f-8h2m\n\n3. zr7k-p0lm",
  ])("are hidden in each line of a list of backup codes", (list) => {
    const text = `Keep these backup codes of your account. Each works once:\n\n${list}\n\nThe team`;
    const { text: shown, hidden } = hideCodes("Your backup codes", text);
    expect(hidden).toBe(list.split(/\n+/).length);
    expect(shown).toMatch(/^Keep these[^\n]+:\n[\s\d.-]*\[hidden[\s\S]+The team$/);
  });

  it("are no links to read a newsletter in a browser, or to leave its list", () => {
    const link = "https://post.kitchen.example/v/ZGllLXN1cHBlLWd1dA-20250311";
    for (const label of ["Im Browser ansehen", "Ver en el navegador", "Leggi nel browser", "Baja"])
      expect(hideCodes("Password tips", `Soup for four.\n\n${label}: ${link}`).hidden).toBe(0);
    const reset = `Reset your password. Copy this link into your browser: ${link}`;
    expect(hideCodes("Reset your password", reset).text).not.toContain(link);
  });

  // A notice about a sign-in lost the link to the account's activity.
  it.each([
    "https://id.mill.example/choose?email=a%40b.example&continue=https://my.mill.example/alert/nt/1739884412000",
    "https://mill.example/board/12?trackingid=QX7DT2LM&mv=email",
    "https://mill.example/board/118-call#comment-67b4f0a1e9",
  ])("leave a link to a page of an account as it was: %s", (link) => {
    const text = `Your password was changed. If this was not you, look here: ${link}`;
    expect(hideCodes("Security alert", text).text).toContain(link);
  });

  // The signs at the end of Base64 made the token the name of a parameter.
  it.each([
    "https://mill.example/magic-link#9f27a1c04be8d36a5570:cm9zYUBtaWxsLmV4YW1wbGU=",
    "https://mill.example/reset-password?guid=4417-Kd",
  ])("are hidden in a link with an unusual token: %s", (link) => {
    const text = `Sign in with the link below.\n\n${link}\n\nDid you not ask for it? Ignore this mail.`;
    expect(hideCodes("Your sign-in link", text).text).not.toContain(link);
  });

  // Help texts lost their example.
  it("are no example of what a code looks like", () => {
    const texts = [
      "When you log in, we send you a six-digit code by email, for example 482 913. Enter it within ten minutes.",
      "Sie erhalten künftig eine sechsstellige TAN, zum Beispiel 482913, in der App.",
      "À chaque connexion nous vous enverrons un code à 6 chiffres, comme 482 913.",
      "登录时我们会发送6位验证码（例如 482913），请在10分钟内输入。",
    ];
    for (const text of texts) expect(hideCodes("Two-step login", text).hidden).toBe(0);
  });

  it("are no links to an order whose number the message shows", () => {
    const text =
      "Order number: W118402773\n\nSign in to your account to change the delivery: https://shop.example/orders/W118402773";
    expect(hideCodes("Order confirmation", text).hidden).toBe(0);
  });

  it("are hidden in a recovery phrase of two lines", () => {
    const phrase = "limón barco sierra noche papel trigo\nfaro nieve cable puente rana vela";
    const text = `Guarda estas doce palabras en papel, en este orden:\n\n${phrase}\n\nNo las compartas.`;
    expect(hideCodes("Palabras de recuperación", text).text).not.toMatch(/limón|vela/u);
  });

  // A link ended in the words behind a full-width bracket.
  it("are hidden in a link before a full-width bracket", () => {
    const link = "https://riji.example/reset/nstwnQFCduGNfnpdPLuKH3dr";
    const { text } = hideCodes("重置密码", `点击重置密码：${link}（15分钟内有效）`);
    expect(text).toBe("点击重置密码：[hidden: sign-in code]（15分钟内有效）");
  });

  // Each number of a footer asked for more evidence, so a code above a long footer stayed readable.
  it("are hidden above a long footer with other numbers", () => {
    const footer =
      "Northwind Services Ltd, registered in England, no. 4410882. Monday to Friday, 9:00 to 17:30, 44 Quay Street, Bristol BS1 5EX.\n\n";
    const text = `Use this verification code to sign in:\n\n604918\n\nIt expires in 10 minutes.\n\n${footer.repeat(60)}`;
    const { text: shown, hidden } = hideCodes("Your verification code", text);
    expect(shown).not.toContain("604918");
    expect(hidden).toBe(1);
  });

  it("are hidden behind dots that lead to them", () => {
    const text = "Welcome.\n\nWindows session ...... t.rolland\nPassword ............. Truck&Road9";
    expect(hideCodes("Your access", text).text).not.toContain("Truck&Road9");
  });

  it.each([57_000, 164_000])("are hidden above %s characters of other text", (characters) => {
    const text = "Our garden club talked about roses, tools and the spring fair. ";
    const { text: shown } = hideCodes(
      "Your sign-in code",
      `Your verification code is 482913. It expires in 10 minutes.\n\n${text.repeat(characters / text.length)}`,
    );
    expect(shown).not.toContain("482913");
  });

  it("are no words of a sentence in capitals", () => {
    const text =
      "** THIS IS A WARNING MESSAGE ONLY **\n** YOU DO NOT NEED TO RESEND YOUR MESSAGE **";
    expect(hideCodes("Warning: could not send message for past 4 hours", text).hidden).toBe(0);
  });

  it("are no words of four letters in a sentence of an unknown language", () => {
    const text =
      "larege bi kabe bi ge dodibo fe vada fa beso pefe peve nite ririke paga mi mofemi bika lero di fa papa fagade be rofe ne";
    expect(hideCodes("gebe be gepabi bopa bedide bolabo pede pemi", text).hidden).toBe(0);
    const alone = "Your app password:\n\ntoke gadi ribi gake\n";
    expect(hideCodes("A new password", alone).text).not.toContain("toke");
  });

  it("are hidden in Arabic digits", () => {
    expect(hideCodes("Sign in", "Your sign-in code is ٤٨٢٩١٣.").text).toBe(
      `Your sign-in code is ${hiddenCode}.`,
    );
  });

  it("leave the rest of the mail as it was", () => {
    const { subject, text, hidden } = hideCodes(
      "482913 is your Acme code",
      "Hi Ann,\n\nyour sign-in code is 482 913.\n\nOrder 10482913 is on its way.",
    );
    expect(subject).toBe(`${hiddenCode} is your Acme code`);
    expect(text).toBe(
      `Hi Ann,\n\nyour sign-in code is ${hiddenCode}.\n\nOrder 10482913 is on its way.`,
    );
    expect(hidden).toBe(2);
  });

  it("are searched in one pass, however long a line of words is", () => {
    // One pattern over the whole line did not end within a day.
    const line = "garden  monkey  ladder  ".repeat(60);
    const { text, hidden } = hideCodes("Your wallet", `Your recovery phrase:\n${line}!\n`);
    expect(hidden).toBe(0);
    expect(text).toContain("monkey");
  });

  it("are hidden in Italian and Dutch, and pick-up codes and numbers of cases stay", () => {
    const hidden = [
      ["Codice di verifica", "Il tuo codice per accedere è 482913. Non comunicarlo a nessuno."],
      ["Inloggen", "Voer deze code in om in te loggen: 482913"],
    ] as const;
    for (const [subject, text] of hidden)
      expect(hideCodes(subject, text).text).not.toContain("482913");
    const shown = [
      ["Pacco in attesa", "Codice di ritiro: 482913. Locker di via Verdi."],
      ["Je melding", "Wij hebben je melding 482913 ontvangen."],
    ] as const;
    for (const [subject, text] of shown) expect(hideCodes(subject, text).text).toBe(text);
  });

  it("are hidden in any form behind or below the name of a secret", () => {
    const secrets = ["mzkq trwp xbnl oedh", "Kettle-Violin-38", "70 44 18 2"];
    const texts = [
      "App password for your mail:\n\nmzkq trwp xbnl oedh\n\nIt is shown once.",
      "I have reset it. The new password is Kettle-Violin-38, log in and change it.",
      "Card payment\nOne-time code: 70 44 18 2\nNever give it to anyone.",
    ];
    for (const [at, text] of texts.entries())
      expect(hideCodes("Your account", text).text).not.toContain(secrets[at]);
  });

  it.each([
    ["code", "4471"],
    ["código", "toma: 6148 corre que caduca"],
    ["codice", "è 93027"],
    ["Re: kod", "417 806"],
    ["code bol", "kreeg net 871 330 binnen, snel invullen. ben om 6 thuis"],
  ])("are hidden in a short message that has only the name as its subject: %s", (subject, text) => {
    expect(hideCodes(subject, text).hidden).toBe(1);
  });

  it.each([
    [
      "Spotify",
      "El usuario es abuela y la contraseña croquetas55, todo en minúsculas.",
      "croquetas55",
    ],
    ["Your first day", "PC ........ n.ferri\nPassword iniziale  Gru-e-Molo.55\n", "Gru-e-Molo.55"],
    ["Start", "Kennwort (nur fürs erste Mal): Stethoskop/39\nGrüße", "Stethoskop/39"],
    ["Accès", "Mot de passe ......... Camion&Route9", "Camion&Route9"],
  ])("are passwords of letters and digits after the name: %s", (subject, text, password) => {
    expect(hideCodes(subject, text).text).not.toContain(password);
  });

  it.each([
    ["Riunione", "Numero riunione: 2744 188 0417\nPassword riunione: pVt3Jm9xQ\n"],
    ["Guests", "Wi-Fi for guests: Meadow, password Clover88"],
    ["dress code", "1920s style, 12 people"],
    ["Zip code", "it is 10115"],
    ["code", "see line 4711 in main.c"],
    ["New sign-in", "A new device signed in to your account from Lyon (IP 203.0.113.84)."],
    [
      "Code sent",
      "We sent a sign-in code to the phone ending in 4417. Enter it within 10 minutes.",
    ],
    ["Card", "Your card *2207 is locked after a wrong PIN. The new one has the same PIN."],
    ["Appointment", "Please reply YES to confirm your login, or phone 029 5550 0112."],
    ["Stay safe", "Never share one-time codes... Notre dossier says why."],
    [
      "Quiz",
      "Here are the backup words we talked about:\n\nmilk bread butter cheese eggs apples pears plums",
    ],
  ])("are no other numbers and words: %s", (subject, text) => {
    expect(hideCodes(subject, text)).toMatchObject({ subject, text });
  });

  // The minutes of a time and the word behind them were hidden, because a colon was before them.
  it("are no times behind the name of a secret", () => {
    const notice = "您的登录密码已于2026年3月3日14:12修改。如非本人操作请致电 95512。";
    expect(hideCodes("密码修改成功", notice).text).toBe(notice);
    expect(hideCodes("SIM", "Your SIM: PIN1:4471").values).toEqual(["4471"]);
    expect(hideCodes("登录", "登录密码12:77abCd").values).toEqual(["77abCd"]);
  });

  it("are no signatures below a sentence about passwords", () => {
    const text =
      "Your password expires in 8 days. We never ask for your password by mail.\n\nYour service desk";
    expect(hideCodes("Your password expires", text).text).toBe(text);
  });

  // Capitals inside a name, and a digit at its begin, counted as a token.
  it.each([
    "https://accounts.example/AccountChooser?Email=lee@example.com&continue=https://my.example/notifications",
    "https://blog.example/posts/2fa-enforcement/",
  ])("are no links with the names of pages: %s", (link) => {
    const text = `We noticed a new sign-in to your account on a Windows device.\n\nCheck activity\n${link}`;
    expect(hideCodes("Security alert", text).hidden).toBe(0);
  });

  // None of these forms was a candidate.
  it.each([
    ["1\uFE0F\u20E32\uFE0F\u20E37\uFE0F\u20E39\uFE0F\u20E30\uFE0F\u20E34", "7\uFE0F"],
    ["⑦②⑨④", "②⑨"],
    ["K7/44/QX2", "44/QX2"],
    ["47_11_92", "11_92"],
    ["QXVN", "QXVN"],
    ["seven four nine two", "four nine"],
  ])("are hidden in the rare form %s", (code, part) => {
    const text = `Enter this code to sign in to your account:\n\n${code}\n\nIt expires in 10 minutes.`;
    expect(hideCodes("Your sign-in code", text).text).not.toContain(part);
  });

  // Dates, times and amounts have such forms too.
  it.each(["12/05/2026", "10:30", "1.234,50", "3/4", "2026-05-12"])(
    "are not seen in a date, time or amount: %s",
    (value) => {
      const text = `Enter your code to sign in. Your account was opened here:\n\n${value}\n`;
      expect(hideCodes("Your sign-in code", text).text).toContain(value);
    },
  );

  it.each([
    ["Kod weryfikacyjny", "Twoje hasło jednorazowe to 482913. Nie podawaj go nikomu."],
    ["Код подтверждения", "Ваш код для входа: 482913. Никому его не сообщайте."],
    ["Verifieringskod", "Ange koden 482913 för att logga in. Dela den inte med någon."],
    ["Doğrulama kodu", "Giriş kodunuz 482913. Kimseyle paylaşmayın."],
  ])("are hidden in Polish, Russian, Swedish and Turkish: %s", (subject, text) => {
    expect(hideCodes(subject, text).text).not.toContain("482913");
  });

  it("are hidden in the sender's name above texts of every length", () => {
    for (const characters of [0, 1, 149, 150, 800, 5_000]) {
      const text = "Hello. ".repeat(characters / 7 + 1).slice(0, characters);
      expect(codesOfName("482913 is your Acme sign-in code", text)).toEqual(["482913"]);
      expect(codesOfName("Person1235 dado", text)).toEqual([]);
    }
  });

  it("are hidden in the sender's name, and in a summary from another part of the message", async () => {
    const named = await parseMessage(
      Buffer.from(
        [
          'From: "482913 is your Acme sign-in code" <no-reply@acme.example>',
          "Subject: Acme",
          "",
          "Please enter the code in the sender's name to sign in.",
        ].join("\r\n"),
      ),
      new Date(0),
      true,
    );
    expect(named.envelope.from.name).toBe(`${hiddenCode} is your Acme sign-in code`);
    // Only the plain text has the forwarded code.
    const parts = [
      "From: Ann <ann@home.example>",
      "Subject: Fwd: Acme",
      "Content-Type: multipart/alternative; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "---------- Forwarded message ---------",
      "From: Acme <no-reply@acme.example>",
      "Date: Tue, 18 Nov 2025 at 10:02",
      "Subject: Acme",
      "To: <ann@home.example>",
      "",
      "Your sign-in code is 482913. It expires in 10 minutes.",
      "--b",
      "Content-Type: text/html; charset=utf-8",
      "",
      "<p>Please look at the message of Acme that I got this morning. It is about the account that we share, and about nothing else in the world.</p>",
      "--b--",
    ];
    const other = await parseMessage(Buffer.from(parts.join("\r\n")), new Date(0), true);
    expect(JSON.stringify(other)).not.toContain("482913");
    expect(Buffer.from(other.text).toString()).not.toContain("482913");
  });
});
