import { weightOf } from "../reading/frequent-words.ts";
import { tokensOf } from "../reading/tokens.ts";

/** The names of secrets that may be ordinary words. The spelling is that of `normalised`. */
const label =
  "pass ?word|pass ?phrase|pass ?code|pin|code ?word|safe ?word|secret|codewort|kennwort|passwort|losungswort|mot de passe|mot secret|code|contrasena|clave|palabra secreta|santo y sena|senha|palavra-passe|palavra secreta|parola d'ordine|parola segreta|codice|wachtwoord|haslo|losenord|kodeord|adgangskode|пароль|кодовое слово";
/** Also a sign that ends sentences, if a word follows it at once: `Amber!Lake`. */
const phrase = String.raw`(?:[^.,;!?\n"'”’»>()\]]|[.,;!?](?=[\p{L}\p{N}])){4,60}`;
const labelled = new RegExp(
  String.raw`(?<!\p{L})(?:${label})(?!\p{L})(?:[^.!?\n:=]{0,60}?(?::|=|(?<!\p{L})(?:is|lautet|luidt|ist|est|es|e|sera|was|becomes)(?!\p{L}))|\s{0,2}(?=["“‘«]))\s*["'“‘«<(\[]?\s*(${phrase})`,
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
  for (const [, said = ""] of plain.matchAll(labelled)) {
    const words = tokensOf(said).slice(0, mostWords);
    const whole = words.map(({ text }) => text).join("");
    if (words.length > 1 || weightOf(whole) >= leastWeightAlone) found.push(whole);
    // The words of `amber-lake` are the secret only together. People ask the web about amber.
    const first = tokensOf(/^\S*/.exec(said)?.[0] ?? "");
    const own = first.map(({ text }) => text).join("");
    const weight = first.reduce((sum, { text }) => sum + weightOf(text), 0);
    if (own.length >= shortestWord && weight >= leastWeight) found.push(own);
  }
  for (const [, said = ""] of plain.matchAll(unspacedLabelled)) found.push(said);
  return found;
}

/**
 * Groups of letters with hyphens, or four letters each with spaces: `xcgy-rigj-bwku-zaxf`. Groups with spaces have a line
 * or the end of a sentence after a colon for themselves, because words of four letters may follow each other.
 */
const groupsForm =
  /(?<![\p{L}\p{N}-])[a-z]{4,6}(?:-[a-z]{4,6}){2,7}(?![\p{L}\p{N}-])|(?<=(?:^|[\n:："'“«(])[ \t]*)[a-z]{4}(?: [a-z]{4}){3,7}(?=[ \t]*(?:$|[\n.,;!?"'”»)]))/gu;
/** The least mean weight of such groups. Those of a code are no words, but a tenth of them are in the lists by chance. */
const leastOfGroups = 0.75;

/** Returns recovery codes and passwords of programs that consist of groups with the same number of letters. */
export function letterGroups(plain: string): string[] {
  return Array.from(plain.matchAll(groupsForm), ([found]) => found.split(/[- ]/))
    .filter(
      (groups) =>
        groups.every(({ length }) => length === groups[0]?.length) &&
        groups.reduce((sum, group) => sum + weightOf(group), 0) >= groups.length * leastOfGroups,
    )
    .map((groups) => groups.join(""));
}

const things =
  "do{2}rs?|gate|alarm|safe|vault|lock ?box(?:es)?|locks?|lockers?|padlock|bike lock|entry|entrance|access|garage|keypad|key ?pad|key box|key safe|building|house|flat|unlock|disarm";
const germanThings =
  "tur|tuer|tor|haus|haustur|alarm|tresor|safe|zugangs|zugriffs|garagen|schloss|zahlen|zahlenschloss|geheim|eingangs|offnungs";
const romanceThings =
  "boite a cles|porte|portail|portillon|alarme|entree|immeuble|coffre|coffre-fort|cadenas|acces|garage|secret|puerta|porton|portal|alarma|entrada|caja fuerte|candado|acceso|garaje|porta|portone|portao|cancello|allarme|cassaforte|lucchetto|ingresso|accesso|segreto|cofre|cadeado|acesso";
/** Names of codes that a person enters somewhere. The spelling is that of `normalised`. */
const ownNumber = [
  String.raw`(?:${things})[- ]?(?:code|pin|combination)`,
  "(?:code|combination|pin)(?: number)? (?:for|of|to) (?:the |my |our )?(?:" + things + ")",
  "combination|passcode|pin(?:[- ]?(?:code|number|kod|kode))?",
  String.raw`(?:${germanThings})-?(?:code|kombination|pin)|geheimzahl|geheimnummer|zahlenkombination|kombination`,
  "(?:digicode|boite a cles)(?= ?:| \\d)|digicode|(?:code|combinaison|codigo|clave|combinacion|codice|combinazione|senha|pin) (?:(?:de la|de l'|del|della|dell'|do|da|de|du|d'|di|para|pour) ?(?:la |le |l'|el )?)?(?:" +
    romanceThings +
    ")",
  "(?:deur|toegangs|alarm|poort|kluis|slot)-?code",
  "kod (?:do |od )?(?:drzwi|bramy|domofonu|alarmu|sejfu|klodki|wejscia)",
  "(?:код|пин)(?:-?код)? (?:от |для )?(?:двери|домофона|сеифа|сейфа|подъезда|сигнализации|замка)",
  "(?:port|dorr|dor|larm|alarm|adgangs|tilgangs|inngangs)-?(?:kode|kod)(?:en)?",
].join("|");
const numberLabelled = new RegExp(
  String.raw`(?<!\p{L})(?:${ownNumber})(?!\p{L})(?:[^.!?\n:=\d]{0,30}(?:[:=]|\s(?:is|ist|lautet|est|es|era|luidt|auf|wynosi|ar|er)(?!\p{L})))?\s{0,3}["'*#(]{0,2}(\d(?:[-. ]?\d){3,7})(?![\p{L}\p{N}]|[.,:/%-]\p{N})`,
  "gu",
);
const unspacedNumber =
  /(?:暗証番号|解錠番号|门禁码|密码|密碼|비밀번호)[はが은는是为為：: ]{0,3}(\d{4,8})(?!\d)/gu;

/** Returns the digits of numbers that a text calls the code of a gate, lock or card. Some look like a year. */
export function labelledNumbers(plain: string): string[] {
  return [numberLabelled, unspacedNumber].flatMap((form) =>
    Array.from(plain.matchAll(form), ([, digits = ""]) => digits.replace(/\D/g, "")),
  );
}
