import { describe, expect, it } from "vitest";
import { codesOfName } from "../../src/ingest/codes/code-names.ts";
import { hideCodes } from "../../src/ingest/codes/hide-codes.ts";

const lines = [
  "iQIzBAEBCAAdFiEEf0k3Zs0Qd7Xv9WmLQ2x8kR1tY4cFAmc1s9kACgkQQ2x8kR1t",
  "Y4dV7w//bT2Kq9ZrXw5sLm0V8t3N1pQyG7hJ6fD4cB2aE0rT9uI8oP7lK5jH3gF1",
  "=Kx7Q",
];
const signature = [
  "-----BEGIN PGP SIGNATURE-----",
  "Comment: chair",
  "",
  ...lines,
  "-----END PGP SIGNATURE-----",
];
const signed =
  "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nThe backup codes and the password policy are on the wiki.\n\n";

describe("sign-in codes", () => {
  // Only passwords after a colon, or with four digits, were found.
  it.each([
    ["Account", "Your new password is «Summer24»"],
    ["Account", "I've set your password to «Summer24»."],
    ["Account", "«Tulip44» is your new password for the wiki."],
    ["Zugang", "Das Passwort für das Portal lautet jetzt «Sommer24», bitte ändern."],
    ["Zugang", "Ihr neues Passwort ist «Tulpe4471»."],
    ["Accès", "C'est fait : ton nouveau mot de passe est «Mirabelle77»."],
    ["Clave", "Tu nueva contraseña es «Girasol88»."],
    ["Senha", "Sua nova senha é «Girassol88»."],
    ["Password", "La tua nuova password è «Girasole88»."],
    ["Wachtwoord", "Je nieuwe wachtwoord is «Zonnebloem88»."],
    ["NAS", "User: jo\nPW: «Blue42»"],
  ])("are hidden if they are a stated password: %s, %s", (subject, marked) => {
    const [, password = ""] = /«(.+)»/.exec(marked) ?? [];
    const { values } = hideCodes(subject, marked.replace(/[«»]/g, ""));
    expect(values).toEqual([password]);
  });

  // The text below the subject did not count as its sentence.
  it.each([
    ["VX7 92K Tilegame", "To sign in, use the code from the subject."],
    ["Tilegame: VX7 92K", "Your login code is in the subject line."],
    ["Tilegame (VX7 92K)", "That's your code to sign in to Tilegame."],
  ])("are hidden beside a sender's name in the subject: %s", (subject, text) => {
    expect(hideCodes(subject, text).subject).toBe(
      subject.replace("VX7 92K", "[hidden: sign-in code]"),
    );
  });

  it("are hidden in a block that only begins like a signature", () => {
    const text = `-----BEGIN PGP SIGNATURE-----\nYour sign-in code is 482913.\n${lines[2]}`;
    expect(hideCodes("Your sign-in code", text).values).toEqual(["482913"]);
  });
});

describe("texts that resemble sign-in codes", () => {
  // The lines of a signature were hidden as recovery keys.
  it.each(["", "> "])("may be the Base64 of a signature, quoted with '%s'", (mark) => {
    const text = signed + signature.map((line) => mark + line).join("\n");
    expect(hideCodes("Re: signed minutes", text)).toMatchObject({ text, hidden: 0 });
  });

  it("may be a link that ends a subscription", () => {
    const text =
      "No los toquéis hasta julio.\n\nPara dejar de recibir estos correos, haz clic aquí: https://foro.aves.example/email/unsubscribe/91be07ac44.";
    expect(hideCodes("[Foro Aves] Nidos", text).hidden).toBe(0);
  });

  it("may be the fingerprint of a key", () => {
    const text =
      "My new key is ready. Its fingerprint is 4F1C 7A18 90D2 44B7 6E03  1182 04AA 77C9 D310 55EF.";
    expect(hideCodes("Re: key for signing in", text).hidden).toBe(0);
  });

  // A name such as "your exclusive code" counted as that of a sign-in code.
  it.each([
    ["Just for you", "Your exclusive code:\nWREN15-7K2Q\nEnter it at checkout by Sunday."],
    ["Nur heute", "Ihr exklusiver Code:\nHERBST-7K2Q\nIm Warenkorb einlösbar bis 30.11."],
    ["Votre code privilège", "Votre code exclusif :\nLILAS20-8KQ\nÀ saisir dans le panier."],
    ["Tu código exclusivo", "Usa tu código exclusivo:\nOLIVO15-8KQ\nHasta el domingo."],
    ["Il tuo codice esclusivo", "Inserisci il codice:\nOLIVA15-8KQ\nnel carrello."],
    ["Je exclusieve code", "Gebruik je exclusieve code:\nTULP15-8KQ\nGeldig tot zondag."],
    ["할인 쿠폰", "고객님 전용 쿠폰 코드: GAEUL15-8KQ"],
  ])("may be vouchers: %s", (subject, text) => {
    expect(hideCodes(subject, text).hidden).toBe(0);
  });

  it("may be telephone numbers", () => {
    const mobile = "Your activation is complete. Your line 07700 900288 can make calls.";
    expect(hideCodes("Activation code", mobile).hidden).toBe(0);
    const japanese = "パスワードが変更されました。お心当たりがない場合は0120-441-877へ。";
    expect(hideCodes("パスワード変更のお知らせ", japanese).hidden).toBe(0);
  });

  it("are hidden in the sender's name, but not the numbers of its words", () => {
    const text = "Enter the code in the sender's name to sign in.";
    for (const name of ["Person1760 ba", "Office365 Team", "Studio 54 & Radio 1", "maria1985"])
      expect(codesOfName(name, text), name).toEqual([]);
    for (const name of ["Type VRZ-418 to sign in", "Code FK 882", "Your code: 482 913"])
      expect(codesOfName(name, text), name).not.toEqual([]);
  });
});
