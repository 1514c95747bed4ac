import { Beginnings } from "../beginnings.ts";
import { units } from "../code-words.ts";
import { type DigitLines, lineSigns } from "../digit-lines.ts";
import { alignedLowerCase } from "../text-forms.ts";
import { hasSign, textSigns } from "../text-pass.ts";
import { placesOf, type TextRange } from "../text-ranges.ts";
import { withRanges } from "../letters.ts";

/** The beginning of a value's own place: of a line or a cell, or after a colon, a quotation mark or a bracket. */
const opened = String.raw`(?<=(?:^|[:：|\t"“„«「『‘\[(*>` + "`" + String.raw`]) ?)`;
const closed =
  String.raw`(?=[ \t]?(?:$|[|\t"”“»」』’\])*<` + "`" + String.raw`]|[.,!]?(?:[ \t]|$)))`;

/** Letters and digits with signs that no other form has, such as `K/77/Q2` or `47_11_92`, in a place of their own. */
const signed = withRanges(
  String.raw`(?=[A-Za-z\d]{1,8}[._~+·•–=:/-])${opened}(?=[^\s]{0,20}\d)(?!\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)|\d{1,2}:\d\d|\d{1,3}(?:[.,]\d{3})*[.,]\d\d(?!\d)|\d+\/\d+(?![\/\d])|[A-Za-z]+:)[A-Za-z\d]{1,8}(?:[._~+·•–=:/-]{1,2}[A-Za-z\d]{1,8}){1,6}${closed}`,
  "gm",
);

/** Four capitals at the end of a place of their own. A look behind would make the search several times slower. */
const fourCapitals = /[A-Z]{4}(?=[ \t]?[.!]?(?:$|["”“»」』’\])*]))/gm;
const beforeCapitals = withRanges(String.raw`${opened}$`);

/** Finds four capitals in a place of their own. */
const capitalsIn = (text: string): TextRange[] =>
  placesOf(fourCapitals, text).filter(({ start }) =>
    beforeCapitals.test(text.slice(Math.max(0, start - 2), start)),
  );

const digitWords = [
  "zero|one|two|three|four|five|six|seven|eight|nine",
  "null|eins|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun",
  "zéro|un|deux|trois|quatre|cinq|sept|huit|neuf",
  "cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve",
  "um|dois|três|quatro|sete|oito|nove|meia",
  "due|tre|quattro|cinque|sei|sette|otto",
  "nul|een|één|twee|drie|vijf|zes|zeven|negen",
  "jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć",
  "noll|ett|två|fyra|fem|sex|sju|åtta|nio",
  "ноль|один|два|три|четыре|пять|шесть|семь|восемь|девять",
  "sıfır|bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz",
].join("|");
const leastWords = 4;
/** Digits that are written as words. */
const spelled = withRanges(
  String.raw`(?<!\p{L})(?:${digitWords})(?:(?: ?[,·–-] ?| )(?:${digitWords})){${leastWords - 1},9}(?!\p{L})`,
  "y",
);
const spelledBeginnings = new Beginnings(spelled, digitWords.split("|"), {
  isWhole: true,
  least: leastWords,
});
/** Digits in Chinese and Japanese characters. A longer number is an amount. */
const spelledInHan =
  /(?<![〇零一二三四五六七八九十百千万年月第])[〇零一二三四五六七八九](?:[ -]?[〇零一二三四五六七八九]){3,7}(?![〇零一二三四五六七八九十百千万年月])/g;

/** Words with hyphens in Chinese or Japanese quotation marks. */
const quotedInHan = withRanges(
  String.raw`(?<=[「『])[\p{Cjk}A-Za-z\d]{1,8}(?:[-・－ ][\p{Cjk}A-Za-z\d]{1,8}){1,3}(?=[」』])`,
  "g",
);

/** A few digits in a paragraph of their own. */
export const fewDigits =
  /(?=\d\d)(?<=(?:^|\n)[ \t]*\n[ \t*]{0,6})\d{2,3}(?=[ \t*]{0,6}(?:\n[ \t]*(?:\n|$)|$))/g;

/** Capitals and digits in groups that are the cells of one row, such as `415 | 087` or `HXQ | - | 4MZ`. */
export const groupsInCells =
  /(?=[A-Z\d]{2,4} ?\|)(?<=^[ \t]*)(?=[^\n]{0,40}\d)[A-Z\d]{2,4}(?: ?\|(?: [-–·] \|)? ?[A-Z\d]{2,4}){1,3}(?=[ \t]*$)/gm;

/**
 * Two or three digits that a person picks on another device, behind the name of a number or a verb. Messages of other kinds
 * have many such numbers.
 */
const picked = withRanges(
  String.raw`(?=\d\d)(?<=(?:[Nn]umber|[Nn]umero|[Nn]uméro|[Nn]úmero|[Nn]ummer|[Nn]umer|[Zz]ahl|[Nn]ombre|[Cc]hiffres?|[Gg]etal|[Cc]ijfers|[Dd]igits|[Ll]iczbę|[Ss]iffran|[Чч]исло|[Цц]ифр[ыу]|番号|数字|숫자|번호|号码|الرقم|رقم)(?:[^\n\d.!?]{0,40}[:：])?[ "'“„«「『*]{0,3}|(?<!\p{L})(?:[Pp]ick|[Tt]ap|[Cc]hoose|[Ss]elect|[Mm]atch|[Tt]ype|[Ee]nter) ["'“]?|uygulamada ["'“«]?)(?<![\p{L}\d])\d{2,3}(?![\p{Latin}\d%€$£/번番]|[.,:-]\d| \d)`,
  "g",
);
/** Words of messages that ask for an approval on another device. */
const asksToApprove =
  /approv|authenti|sign[- ]?in|log ?in|push|verify|genehmig|anmeld|approuv|connexion|aprob|sesión|approva|accesso|autentic|aprov|goedkeur|aanmeld|zatwierdz|logowan|godkän|inlogg|подтверд|вход|承認|サインイン|ログイン|승인|로그인|批准|登录|登錄|onayla|giriş|notif|identif|bestätig|zugang|accès|acceso|acesso|toegang|dostęp|доступ|erişim|åtkomst|mitteilung|melding|powiadom|уведомл|通知|알림|bildirim/i;

/** A long value with small letters and digits in a sentence, such as the one of a mailing list. */
export const longInside =
  /(?<![\w/@.=&%+#-])(?=[A-Za-z]{0,30}\d)(?=[A-Z\d]{0,30}[a-z])\w{18,64}(?![\w@=&%/-]|\.[a-z]|:\/\/)/g;

/** Three groups of capitals, small letters and digits, such as `aB7 kQ2 Xz`, of which two are no words. */
export const mixedGroups =
  /(?<![\w-])(?=[A-Za-z]{0,3}\d)(?=[A-Za-z\d ]{0,12}[a-z])(?=[A-Za-z\d ]{0,8}[A-Z])[A-Za-z\d]{2,4} (?=[A-Za-z]{0,3}\d[A-Za-z]|[A-Za-z]{1,3}\d)[A-Za-z\d]{2,4} [A-Za-z\d]{2,4}(?=[.,;:]?(?:\s|$))/g;

/** Forms that few codes have. */
export type OtherKind = "few" | "mixed" | "number" | "word";

interface OtherForm extends TextRange {
  kind: OtherKind;
}

/** The part of a text that is searched, from its beginning. A message with such a code is short. Characters. */
const searched = 3_000;

/** Finds codes that are written in Chinese or Japanese characters. */
export const inHan = (text: string): TextRange[] => [
  ...placesOf(spelledInHan, text),
  ...(text.includes("「") || text.includes("『") ? placesOf(quotedInHan, text) : []),
];

/** Finds values in forms that few codes have. */
export function otherFormsIn(whole: string, lines: DigitLines): OtherForm[] {
  const text = whole.slice(0, searched);
  const found: OtherForm[] = [];
  for (const { start, end } of lines.placesOf(signed, lineSigns.signBetween))
    if (end <= searched)
      found.push({
        start,
        end,
        kind: /[A-Za-z]/.test(text.slice(start, end)) ? "mixed" : "number",
      });
  if (asksToApprove.test(text))
    for (const { start, end } of lines.placesOf(picked, lineSigns.digit))
      if (end <= searched && !units.test(alignedLowerCase(text.slice(end, end + 14))))
        found.push({ start, end, kind: "few" });
  const addWords = (places: readonly TextRange[]): void => {
    for (const { start, end } of places) found.push({ start, end, kind: "word" });
  };
  if (hasSign(whole, textSigns.capitals)) addWords(capitalsIn(text));
  addWords(spelledBeginnings.placesOf(whole, searched));
  if (hasSign(whole, textSigns.han)) addWords(inHan(text));
  return found;
}
