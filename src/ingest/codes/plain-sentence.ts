import { Beginnings } from "./beginnings.ts";
import type { TextRange } from "./text-ranges.ts";

/**
 * Names of codes for signing in only, in lower case. Bookings have confirmation codes too, and buildings have access codes.
 */
const names = [
  String.raw`(?:sign[- ]?in|log[- ]?in|verification|authentication|2fa|two[- ](?:factor|step)|one[- ]time|single[- ]use)(?: (?:security|access|sign-in|login|verification|authentication))?[ -]?(?:code|passcode|password|pin)`,
  String.raw`(?<![a-z])otp(?: code)?`,
  String.raw`(?:anmelde|login|verifizierungs|authentifizierungs|einmal|freigabe)-?(?:code|kennwort|passwort|pin)`,
  String.raw`code (?:de |d['’] ?)(?:connexion|vérification|authentification)|code à usage unique`,
  String.raw`código de (?:verificación|inicio de sesión|autenticación|verificação|autenticação|início de sessão|login)`,
  String.raw`código de (?:un solo uso|uso único)|codice (?:di (?:verifica|autenticazione|login)|monouso)`,
  String.raw`(?:verificatie|inlog|aanmeld)code|eenmalige code`,
  "(?:認証|ログイン|ワンタイム)(?:コード|番号|パスワード)|(?:登录|登錄|短信|动态|動態)(?:验证码|驗證碼|密码|密碼)",
].join("|");
/** Words and marks between the name and the code. */
const link = String.raw`[ \t]*(?:is|ist|lautet|est|es|é|è|は|为|為|是|[:：=|])[ \t]*(?::[ \t]*)?["'“„«「*]{0,2}`;
const value = String.raw`(?:\d{4,8}|\d{3}[ -]\d{3}|\d{2}[ -]\d{2}[ -]\d{2})`;
const around = {
  before: String.raw`(?<![\w.,/@#€$£%+-])`,
  behind: String.raw`(?![\w%@€$£]|[.,:/-]\d| ?(?:€|\$|£|%|eur|usd))`,
};
const sentence = new RegExp(`(?:${names})${link}${around.before}${value}${around.behind}`, "uy");
/** Beginnings of all names. */
const beginnings = new Beginnings(
  sentence,
  [
    "sign|log|verifi|authenti|2fa|two|one|single|otp|anmelde|einmal|freigabe|code |código de |codice ",
    "inlog|aanmeld|eenmalige|認証|ログイン|ワンタイム|登录|登錄|短信|动态|動態",
  ]
    .join("|")
    .split("|"),
  // The names alone are no sign of a code. Every code has a digit, which is one.
  { least: Number.POSITIVE_INFINITY },
);
const valueAtEnd = new RegExp(`${value}$`);

/**
 * Finds codes whose own words leave no doubt, such as `Your sign-in code is 482913`. Around them may be a message about
 * something else, by which the learned weights would judge them. The search begins at the names, which few texts have.
 */
export function codesInPlainSentences(text: string): TextRange[] {
  return beginnings.placesOf(text).map(({ start, end }) => {
    const code = valueAtEnd.exec(text.slice(start, end));
    return { start: start + (code?.index ?? 0), end };
  });
}
