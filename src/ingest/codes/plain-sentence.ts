import type { TextRange } from "./text-ranges.ts";

/** Names of codes for signing in only. Bookings have confirmation codes too, and buildings have access codes. */
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
const link = String.raw`[ \t]*(?:is|ist|lautet|est|es|é|è|は|为|為|是|[:：=|])[ \t]*(?::[ \t]*)?["'“„«「*]{0,2}$`;
const before = new RegExp(`(?:${names})${link}`, "iu");
/** Characters before a code in which its name is searched. */
const nameCharacters = 60;
const value =
  /(?<![\w.,/@#€$£%+-])(?:\d{4,8}|\d{3}[ -]\d{3}|\d{2}[ -]\d{2}[ -]\d{2})(?![\w%@€$£]|[.,/:-]\d| ?(?:€|\$|£|%|EUR|USD))/g;
/** Limit on values of one text. A text with more is a list. */
const mostValues = 200;

/**
 * Finds codes whose own words leave no doubt, such as `Your sign-in code is 482913`. Around them may be a message about
 * something else, by which the learned weights would judge them.
 */
export function codesInPlainSentences(text: string): TextRange[] {
  const found: TextRange[] = [];
  let count = 0;
  for (const { 0: code, index: start } of text.matchAll(value)) {
    count += 1;
    if (count > mostValues) break;
    if (before.test(text.slice(Math.max(0, start - nameCharacters), start)))
      found.push({ start, end: start + code.length });
  }
  return found;
}
