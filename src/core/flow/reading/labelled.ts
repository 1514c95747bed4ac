import { weightOf } from "./frequent-words.ts";
import { tokensOf } from "./tokens.ts";

/** The names of secrets that may be ordinary words. The spelling is that of `normalised`. */
const label =
  "pass ?word|pass ?phrase|pass ?code|pin|code ?word|safe ?word|secret|codewort|kennwort|passwort|losungswort|mot de passe|mot secret|code|contrasena|clave|palabra secreta|santo y sena|senha|palavra-passe|palavra secreta|parola d'ordine|parola segreta|codice|wachtwoord|haslo|losenord|kodeord|adgangskode|пароль|кодовое слово";
const labelled = new RegExp(
  String.raw`(?<!\p{L})(?:${label})(?!\p{L})(?:[^.!?\n:=]{0,60}?(?::|=|(?<!\p{L})(?:is|lautet|luidt|ist|est|es|e|sera|was|becomes)(?!\p{L}))|\s{0,2}(?=["“‘«]))\s*["'“‘«<(\[]?\s*([^.,;!?\n"'”’»>()\]]{4,60})`,
  "gu",
);
const unspacedLabelled =
  /(?:パスワード|合言葉|暗証番号|密码|密碼|口令|暗号)[はが是为為：:「『"\s]{1,4}([^\s。、，,.「」『』"]{2,20})/gu;

/** Words of a phrase that is a secret. A longer one is a sentence. */
const mostWords = 6;
/** A word with less weight is not the secret itself. */
const leastWeight = 0.55;
/** A single word with less weight is too frequent to be looked for. */
const leastWeightAlone = 0.3;
const shortestWord = 5;

/** Returns the words that a text calls a password, and also the first of them alone if it is not a common word. */
export function labelledSecrets(plain: string): string[] {
  const found: string[] = [];
  for (const [, phrase = ""] of plain.matchAll(labelled)) {
    const words = tokensOf(phrase).slice(0, mostWords);
    const whole = words.map(({ text }) => text).join("");
    if (words.length > 1 || weightOf(whole) >= leastWeightAlone) found.push(whole);
    const first = words[0]?.text ?? "";
    if (first.length >= shortestWord && weightOf(first) >= leastWeight) found.push(first);
  }
  for (const [, phrase = ""] of plain.matchAll(unspacedLabelled)) found.push(phrase);
  return found;
}
