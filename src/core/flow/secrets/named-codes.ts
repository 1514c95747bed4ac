import { weightOf } from "../reading/frequent-words.ts";

// Codes that the words before them name. The spelling is that of `normalised`.

/** Names of codes, and of things that a code unlocks. */
const opened = [
  "(?:pass|key)?code|pin(?:code)?|password|combination|key ?pad|key ?(?:safe|box)|lock(?:er|box)?|padlock|safe|vault|alarms?|gate|doors?|garage|shed|entry|entrance|unlock",
  String.raw`kombination|geheimzahl|passwort|kennwort|\p{L}*tresor\p{L}*|\p{L}*schloss|\p{L}*schlussel\p{L}*|alarm\p{L}*|\p{L}*tur|\p{L}*tor|zugang\p{L}*|\p{L}*eingang|zahlen(?:folge|code)|ziffern\p{L}*|spind`,
  "digicode|mot de passe|combinaison|coffre|alarme|boite a cles|porte|portail|portillon|cadenas|immeuble|entree",
  "codigo|clave|contrasena|combinacion|caja fuerte|alarma|portal|puerta|verja|candado|garaje|trastero",
  "codice|combinazione|cassaforte|allarme|cancello|porta|portone|lucchetto|citofono|cantina",
  "senha|combinacao|cofre|alarme|portao|cadeado|garagem",
  String.raw`\p{L}*kluis\p{L}*|wachtwoord|\p{L}*deur\p{L}*|\p{L}*poort\p{L}*|\p{L}*ingang|toegang\p{L}*|cijfers|\p{L}*slot|hek|schuur|berging`,
  String.raw`kodu?|hasl[oa]|sejf\p{L}*|bram\p{L}|drzwi|klodk\p{L}|kod(?:en)?|larm\p{L}*|kassaskap\p{L}*|port(?:en)?|dorr?(?:en)?|las(?:et)?`,
  String.raw`код\p{L}*|пин\p{L}*|парол\p{L}*|сейф\p{L}*|сеиф\p{L}*|двер\p{L}*|домофон\p{L}*|замк\p{L}*|сигнализаци\p{L}*`,
].join("|");
const opens = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${opened})(?!\p{L})|暗証番号|パスワード|金庫|警報|解除|解錠|鍵|玄関|密码|密碼|保险[柜箱]|门禁|報警|报警|大门|锁|비밀번호)(?:[^.!?。！？\n]|\.(?=\S)){0,50}$`,
  "u",
);
/** Such a word after the code, as in `type 4711 at the back door`. */
const opensAfter = new RegExp(String.raw`^[*#]?(?: \p{L}+){1,4}? (?:${opened})(?!\p{L})`, "u");
const mostBefore = 70;
const mostAfter = 40;
/** A longer code proves enough without them. */
const longest = 14;

/** Returns whether the words before or after a code say that it unlocks something. */
export function opensSomething(plain: string, start: number, end: number): boolean {
  return (
    end - start <= longest &&
    (opens.test(plain.slice(Math.max(0, start - mostBefore), start)) ||
      opensAfter.test(plain.slice(end, end + mostAfter)))
  );
}

const connection = String.raw`(?:[^.!?\n:=\d]{0,20}?[:=#]|\s(?:is|ist|lautet|est|es|e|luidt|nr\.?|no\.?|number))?[\s"'«(]{1,3}`;
const booking =
  "(?:booking|confirmation|reservation|ref\\.?|reference|record|pnr|buchungs?(?:code|nummer)?|buchungscode|vorgangsnummer|reservierungs(?:code|nummer)|dossier|reference|reservation|localizador|reserva|codigo de reserva|prenotazione|codice prenotazione|localizador|codigo da reserva|boekingscode|reserveringsnummer|rezerwacj[ai]|bokningskod|bookingkode)(?: (?:code|number|reference|locator|numero|no\\.?))?";
/** Six or so letters without a digit, as airlines use them. */
const lettersNamed = new RegExp(
  String.raw`(?<!\p{L})${booking}(?!\p{L})${connection}([a-z]{5,8})(?![\p{L}\p{N}])|(?:予約番号|预订号|预订编号|订座编号|確認番号)[はが是为為：: ]{0,3}([a-z]{5,8})(?![a-z\d])`,
  "gu",
);
const plate =
  "kennzeichen|number plate|licen[cs]e plate|plate|registration|immatriculation|immatricule|plaque|matricula|targa|placa|kenteken|nummerbord|rejestracyjn[ye]|registreringsnummer";
const platesNamed = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${plate})(?!\p{L})${connection}|(?:ナンバー|车牌号?)[はが是为為：: ]{0,3})((?:\p{L}{1,3}|\d{1,4})(?:[ -]?(?:\p{L}{1,3}|\d{1,4})){1,4})(?![\p{L}\p{N}])`,
  "gu",
);
/** German number plates need no name, because of their hyphen. */
const germanPlate =
  /(?<![\p{L}\p{N}-])([a-z]{1,3}-[a-z]{1,2}) (\d{2,4})(?:[eh])?(?![\p{L}\p{N}-])/gu;

/** Returns booking codes of letters and number plates, without their separators. */
export function labelledCodes(plain: string): string[] {
  const letters = Array.from(plain.matchAll(lettersNamed), ([, one, other]) => one ?? other ?? "");
  const plates = Array.from(plain.matchAll(platesNamed), ([, found = ""]) => found).filter(
    (found) => /\d/.test(found) && /\p{L}/u.test(found),
  );
  const german = Array.from(plain.matchAll(germanPlate)).filter(
    ([, group = ""]) => weightOf(group.replace("-", "")) === 1,
  );
  return [
    ...letters.filter((word) => weightOf(word) === 1),
    ...[...plates, ...german.map(([found]) => found)].map((found) =>
      found.replace(/[^\p{L}\p{N}]/gu, ""),
    ),
  ];
}
