import { Beginnings } from "./beginnings.ts";
import { withRanges } from "./letters.ts";
import { alignedLowerCase } from "./text-forms.ts";
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
  "驗證碼|验证码|校验码|校驗碼|动态码|一次性(?:密码|密碼|代码)|短信口令|인증 ?(?:번호|코드)",
  "kod (?:do )?(?:autoryzac|weryfikac|logowan|jednorazow|sms)[a-ząęó]*|doğrulama (?:kodu|kodunuz)|tek kullanımlık (?:şifre|kod)[a-zıu]*",
  "код (?:подтверждения|для входа|авторизации)|одноразовый (?:код|пароль)|(?:verifierings|engångs|inloggnings)kod(?:en)?",
].join("|");
/** Words and marks between the name and the code. */
const link = String.raw`[ \t]*(?:is|ist|lautet|est|es|é|è|は|为|為|是|는|은|[:：=|])[ \t]*(?::[ \t]*)?["'“„«「*]{0,2}`;
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
    "驗證|验证|校验|校驗|一次|인증",
    "kod do|kod a|kod w|kod l|kod j|kod s|doğrulama|tek k|код |одноразовый|verifierings|engångs|inloggnings",
  ]
    .join("|")
    .split("|"),
  // The names alone are no sign of a code. Every code has a digit, which is one.
  { least: Number.POSITIVE_INFINITY },
);
const valueAtEnd = new RegExp(`${value}$`);
/** The code before its name: `482913 is your`, `Use 482913 as the`. */
const codeBefore = withRanges(
  String.raw`(?<![\w.,/@#€$£%+-]|\d )(${value}) (?:is|as|ist|als|est|comme|es|como|é|è|come)(?: (?:the|your|dein|deine|ihr|ihre|votre|ton|tu|su|il tuo|la tua|o seu|seu|je|uw|een))?(?: [\p{L}\d]{2,20}){0,2}[ -]$`,
);
/** Longest part of a sentence before a name that `codeBefore` reads. Characters. */
const beforeName = 80;
const nameOnly = new RegExp(names, "uy");

/**
 * Finds codes whose own words leave no doubt, such as `Your sign-in code is 482913`. Around them may be a message about
 * something else, by which the learned weights would judge them. The search begins at the names, which few texts have.
 */
export function codesInPlainSentences(text: string): TextRange[] {
  const behind = beginnings.placesOf(text).map(({ start, end }) => {
    const code = valueAtEnd.exec(text.slice(start, end));
    return { start: start + (code?.index ?? 0), end };
  });
  const named = beginnings.placesOf(text, text.length, nameOnly);
  return behind.concat(named.flatMap((name) => before(name, text)));
}

/** Finds a code that precedes its name. */
function before(name: TextRange, text: string): TextRange[] {
  const from = Math.max(0, name.start - beforeName);
  const found = codeBefore.exec(alignedLowerCase(text).slice(from, name.start));
  const code = found?.[1];
  if (found === null || code === undefined) return [];
  const start = from + found.index;
  return [{ start, end: start + code.length }];
}

/** Names of passwords in lower case. */
const passwordNames =
  "password|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|pwd|pw|pass";
/** Short names are also parts of other names, such as `boarding pass`. Therefore a verb or a colon must follow them. */
const shortName = /^(?:pwd?|pass)(?: | ?:)/;
/** The name, and a verb, a colon or a blank before its value. */
const passwordLabel = new RegExp(
  String.raw`(?<![a-zà-ÿ-])(?:${passwordNames})(?: (?:is|ist|lautet|est|es|é|jest)(?:: ?| )| ?: ?| )`,
  "uy",
);
const passwordBeginnings = new Beginnings(passwordLabel, passwordNames.split("|"), {
  // Every password that is found has a digit, which is a sign of its own.
  least: Number.POSITIVE_INFINITY,
});
/** The password of a guest network stays readable. */
const network =
  /wi-?fi|wlan|ssid|network|netzwerk|\bnetz\b|réseau|\bred\b|\brede\b|\brete\b|netwerk|sieć/;
/** Words before the user of an account. */
const account =
  /log ?in|sign ?in|user|account|admin|anmeld|konto|zugang|compte|connect|cuenta|usuario|acced|conta\b|acess|usuári|access|inlog|ログイン/;
/** The user of an account, or its address, before a slash. */
const userBefore = /(?:^|[\s"'“„«*(:])([a-z][\w.+-]{1,30}(@[\w.-]{3,40})?)["'”“»*]? ?$/i;
/** A value with letters and digits, which may have signs. */
const password = withRanges(
  String.raw`^["'“„«*]?((?=\S{0,24}\d)(?=\S{0,24}\p{L})[\p{L}\d][^\s"'”“»,;:/()<>]{4,30}?)["'”“»*]?(?=[.,;]?(?:\s|$)|[)”»])`,
);
const atEnd = /^["'”“»*]?[.*]?[ \t]*(?:\n|$)/;
/** The end of a sentence or of a part of it. */
const endOfPart = /^["'”“»*]?[.,;] /;
/** `ticket#4471` has no capital. */
const signAndCapital = /^(?=.*[!#$%&*?@^~_+]).*[A-Z]/;
/** Characters on each side that are read. */
const nearCharacters = 80;
/** Limit on names and slashes that are examined, to bound the time. */
const mostExamined = 100;

/**
 * Finds passwords behind the name of a password, at the end of their line, and behind the user of an account and a slash:
 * `log in as demo / Walnut88!`. The words around such a value are often about something else.
 */
export function statedPasswords(text: string): TextRange[] {
  return [...labelled(text), ...besideUsers(text)];
}

function labelled(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const { start, end } of passwordBeginnings.placesOf(text).slice(0, mostExamined)) {
    const one = passwordAt(text, end);
    if (one === undefined || !isNamed(text, { start, end })) continue;
    const behind = text.slice(one.end, one.end + nearCharacters);
    if (atEnd.test(behind) || (endOfPart.test(behind) && isChosen(text.slice(one.start, one.end))))
      found.push(one);
  }
  return found.length > 0 && network.test(alignedLowerCase(text)) ? [] : found;
}

/** Returns whether a name of a password is no part of another name. The user of the account precedes `pass`. */
function isNamed(text: string, { start, end }: TextRange): boolean {
  const label = alignedLowerCase(text).slice(start, end);
  if (!shortName.test(label)) return true;
  if (!/[:]|\s\S/.test(label)) return false;
  const before = alignedLowerCase(text).slice(Math.max(0, start - nearCharacters), start);
  return label.startsWith("pw") || account.test(before);
}

/** Returns whether a value has the form of a password that a person chose for another: words, a sign and digits. */
const isChosen = (value: string): boolean =>
  /^(?=.*[A-Z])(?=.*[a-z]{3})(?=.*\d).*[!#$%&*?@^~_+-]/.test(value);

function besideUsers(text: string): TextRange[] {
  const found: TextRange[] = [];
  let at = text.indexOf(" / ");
  for (let count = 0; at !== -1 && count < mostExamined; count += 1) {
    const from = Math.max(0, at - nearCharacters);
    const [, user, address] = userBefore.exec(text.slice(from, at)) ?? [];
    const one = user === undefined ? undefined : passwordAt(text, at + 3);
    const isOfAccount = (): boolean =>
      address !== undefined || account.test(alignedLowerCase(text.slice(from, at)));
    if (one !== undefined && signAndCapital.test(text.slice(one.start, one.end)) && isOfAccount())
      found.push(one);
    at = text.indexOf(" / ", at + 3);
  }
  return found;
}

function passwordAt(text: string, start: number): TextRange | undefined {
  const match = password.exec(text.slice(start, start + nearCharacters));
  if (match === null) return undefined;
  const [whole, content = ""] = match;
  const first = start + whole.indexOf(content);
  return { start: first, end: first + content.length };
}
