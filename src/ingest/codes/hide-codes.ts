import { neighboursOf, inSameList } from "./beside.ts";
import { candidatesIn } from "./candidates.ts";
import { findAgain } from "./find-again.ts";
import { findBare } from "./find-bare.ts";
import { findByPurpose, isForOther } from "./find-by-purpose.ts";
import { findCodes } from "./find-codes.ts";
import { findKeys, findNamedPasswords } from "./find-keys.ts";
import { findLinks } from "./find-links.ts";
import { judgeLearned, type Weights } from "./learned/find-learned.ts";
import { wideCandidatesIn } from "./learned/wide-candidates.ts";
import { hiddenCode } from "./hidden-code.ts";
import { halfWidth, isEndOfNumber, type TextRange, withoutLeaders } from "./found.ts";

export interface HiddenText {
  subject: string;
  text: string;
  /** The number of replaced places. */
  hidden: number;
  /** The hidden values, for `hideValues` on other texts of the same message, such as file names. */
  values: readonly string[];
}

/** The number of found codes that are checked for another meaning. The rest are hidden unchecked, to bound the time. */
const mostChecked = 60;
/** Messages up to this length are always examined. Characters. */
const shortMessage = 1_500;

/** One of these words occurs in every longer text with a sign-in code. Other long mails are skipped. */
const mayMentionCode =
  /code|c[óo]digo|clave|chave|auth|magi[ckq]|mágic|connect|connexion|entrar|acces|reset|token|pin\b|otp|\btan\b|pass(?:word|code|phrase)?|kennwort|contrase|senha|mot de passe|palavra-passe|sign|log|verif|vérif|confirm|bestätig|activ|aktiv|ativ|anmeld|recover|recuper|récup|wiederherst|backup|secret|seed|secours|respaldo|コード|認証|確認|パス|ログイン|サインイン|登録|キー|フレーズ|码|碼|密|口令|验证|驗證|登|恢|助|激活|链接|連結|account|konto|compte|cuenta|conta\b|アカウント|账号|帐号|帳號|账户|device|computer|gerät|appareil|dispositivo|aparelho|端末|デバイス|设备|裝置|pay|transfer|überweis|zahl|virement|pago|pix\b|保護者|家长|家長|child|parent|eltern|本人|enter|type|kenn|geben|saisi|tape|introd|digit|番号|輸入|escrib|escrev|números|algarism|cifras|chiffre|ziffer|输入/i;

/**
 * Replaces one-time codes, sign-in and reset links, recovery keys and sent passwords. They are recognised by form and
 * by the words around them, independent of the sender: by rules, and by learned weights. `weights` are for tests.
 */
export function hideCodes(subject: string, text: string, weights?: Weights): HiddenText {
  const nothing: HiddenText = { subject, text, hidden: 0, values: [] };
  const isShort = subject.length + text.length <= shortMessage;
  if (!isShort && !mayMentionCode.test(subject) && !mayMentionCode.test(text)) return nothing;
  const [aboutIt, whole] = [halfWidth(subject), withoutLeaders(halfWidth(text))];
  const inSubject = subjectCodes(aboutIt, whole, weights);
  const learned = judgeLearned(aboutIt, whole, { weights });
  const inText = [
    ...findCodes(aboutIt, whole).filter(
      (one, at) => at >= mostChecked || !isForOther(aboutIt, whole, one),
    ),
    ...findByPurpose(aboutIt, whole),
    ...findBare(aboutIt, whole),
    ...findNamedPasswords(aboutIt, whole),
    ...findLinks(aboutIt, text),
  ]
    .filter((one) => !learned.denies(one, "code") && !isEndOfNumber(whole, one))
    .concat(findKeys(aboutIt, whole).filter((one) => !learned.denies(one, "key")))
    .concat(learned.found);
  inText.push(...inText.flatMap((one) => [...neighboursOf(whole, one), ...inSameList(whole, one)]));
  if (inSubject.length === 0 && inText.length === 0) return nothing;
  const values = new Set(
    [
      ...inSubject.map(({ start, end }) => aboutIt.slice(start, end)),
      ...inText.map(({ start, end }) => whole.slice(start, end)),
    ].map((value) => value.replace(/\s+/g, " ")),
  );
  const first = replaced(subject, [...inSubject, ...findAgain(aboutIt, values)]);
  const second = replaced(text, [...inText, ...findAgain(whole, values)]);
  return {
    subject: first.text,
    text: second.text,
    hidden: first.count + second.count,
    values: [...values],
  };
}

/** Finds codes of a subject, which is judged with the text below it. */
function subjectCodes(subject: string, text: string, weights?: Weights): TextRange[] {
  const links = findLinks(subject, subject);
  // Checked first, because most subjects contain no form of a code and the text is long.
  if (wideCandidatesIn(subject).length === 0 && candidatesIn(subject).length === 0) return links;
  const both = `${subject}\n\n${text.slice(0, 2_000)}`;
  const within = subject.length;
  const learned = judgeLearned("", both, { weights, within });
  return [
    ...findCodes("", both, within).filter((one) => !isForOther("", both, one)),
    ...findByPurpose("", both, within),
  ]
    .filter((one) => !learned.denies(one, "code"))
    .concat(learned.found)
    .filter(({ end }) => end <= within)
    .concat(links);
}

/** Replaces codes that were found in another text of the same message. */
export function hideValues(text: string, values: readonly string[]): string {
  return values.length === 0 ? text : replaced(text, findAgain(halfWidth(text), values)).text;
}

function replaced(text: string, places: readonly TextRange[]): { text: string; count: number } {
  const parts: string[] = [];
  let from = 0;
  let count = 0;
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (end <= from) continue;
    if (start >= from) {
      parts.push(text.slice(from, start), hiddenCode);
      count += 1;
    }
    from = end;
  }
  return { text: parts.join("") + text.slice(from), count };
}
