// Numbers as words from 0 to 99 in nine languages, and the letters of the spelling alphabets. The spelling is that of
// `normalised`: lower case without accents.

const english =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const german =
  "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn";
const french =
  "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf";
const spanish =
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve";
const portuguese =
  "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove";
const italian =
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove";
const dutch =
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien";

/** The tens from 20 on, and how they are combined with units. */
const composed: readonly {
  small: string;
  tens: string;
  join: (ten: string, unit: string) => readonly string[];
}[] = [
  {
    small: english,
    tens: "twenty thirty forty fifty sixty seventy eighty ninety",
    join: (ten, unit) => [`${ten} ${unit}`],
  },
  {
    small: german,
    tens: "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
    join: (ten, unit) => [
      `${unit === "eins" ? "ein" : unit}und${ten}`,
      `${unit === "eins" ? "ein" : unit} und ${ten}`,
    ],
  },
  {
    small: french,
    tens: "vingt trente quarante cinquante soixante septante huitante nonante",
    join: (ten, unit) => [`${ten} ${unit}`, `${ten} et ${unit}`],
  },
  {
    small: spanish,
    tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    join: (ten, unit) => (ten === "veinte" ? [`veinti${unit}`] : [`${ten} y ${unit}`]),
  },
  {
    small: portuguese,
    tens: "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    join: (ten, unit) => [`${ten} e ${unit}`],
  },
  {
    small: italian,
    tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    join: (ten, unit) => [`${/^[uo]/.test(unit) ? ten.slice(0, -1) : ten}${unit}`],
  },
  {
    small: dutch,
    tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    join: (ten, unit) => [`${unit}en${ten}`],
  },
];

/** Words for digits in languages whose longer numbers are not read. */
const digitWords = [
  "zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec",
  "noll ett tva tre fyra fem sex sju atta nio",
  "rei ichi ni san yon go roku nana hachi kyu",
  "ling yi er san si wu liu qi ba jiu",
  "ноль один два три четыре пять шесть семь восемь девять",
];

const others: Readonly<Record<string, string>> = {
  oh: "0",
  nil: "0",
  ein: "1",
  eine: "1",
  zwo: "2",
  une: "1",
  una: "1",
  uma: "1",
  duas: "2",
  meia: "6",
  dezasseis: "16",
  dezassete: "17",
};

/** Words that describe how a code is written, and are not part of it. */
const silent =
  "dash hyphen minus strich bindestrich tiret trait guion hifen slash schragstrich barra space leerzeichen point dot punkt letter digit number then and";

const alphabets = [
  "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu",
  "anton berta casar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula quelle richard samuel theodor ulrich viktor wilhelm xanthippe ypsilon zacharias",
  "anatole berthe celestin desire eugene francois gaston henri irma joseph kleber louis marcel nicolas oscar pierre quintal raoul suzanne therese ursule victor william xavier yvonne zoe",
];

/** Numerals of Japanese and Chinese. In numbers up to 99, ten is a numeral too. */
const numerals: ReadonlyMap<string, string> = new Map(
  [
    "〇零",
    "一壱壹",
    "二弐贰两",
    "三参叁",
    "四肆",
    "五伍",
    "六陸陆",
    "七漆柒",
    "八捌",
    "九玖",
  ].flatMap((digits, value) =>
    Array.from(digits, (digit): [string, string] => [digit, String(value)]),
  ),
);

/** The meaning of each phrase: digits, a letter, or an empty text for a word such as "dash". */
export const spokenPhrases: ReadonlyMap<string, string> = made();

function made(): Map<string, string> {
  const phrases = new Map<string, string>();
  const add = (phrase: string, meaning: string): void => {
    const plain = phrase.replaceAll("-", " ");
    if (!phrases.has(plain)) phrases.set(plain, meaning);
  };
  for (const [sign, digit] of numerals) add(sign, digit);
  for (const alphabet of alphabets)
    for (const word of alphabet.split(" ")) add(word, word.charAt(0));
  add("juliet", "j");
  add("alfa", "a");
  add("x ray", "x");
  for (const { small, tens, join } of composed) {
    const units = small.split(" ");
    for (const [value, unit] of units.entries()) add(unit, String(value));
    for (const [index, ten] of tens.split(" ").entries()) {
      const value = 20 + index * 10;
      add(ten, String(value));
      for (let unit = 1; unit < 10; unit += 1)
        for (const phrase of join(ten, units[unit] ?? "")) add(phrase, String(value + unit));
    }
  }
  for (const digits of digitWords)
    for (const [value, digit] of digits.split(" ").entries()) add(digit, String(value));
  const frenchUnits = french.split(" ");
  add("quatre vingts", "80");
  for (let unit = 0; unit < 20; unit += 1) {
    const word = (frenchUnits[unit] ?? "").replaceAll("-", " ");
    if (unit >= 10) add(`soixante ${word}`, String(60 + unit));
    add(unit === 0 ? "quatre vingt" : `quatre vingt ${word}`, String(80 + unit));
  }
  add("soixante et onze", "71");
  for (const [word, meaning] of Object.entries(others)) add(word, meaning);
  for (const word of silent.split(" ")) add(word, "");
  return phrases;
}

const numeralSigns = `${[...numerals.keys()].join("")}十拾百佰千仟万萬`;
export const numeralForm = new RegExp(
  `[${numeralSigns}\\d]*[${numeralSigns}][${numeralSigns}\\d]*(?:[\\s、,・-]{1,2}[${numeralSigns}]+)*`,
  "gu",
);
const places: Readonly<Record<string, number>> = {
  十: 10,
  拾: 10,
  百: 100,
  佰: 100,
  千: 1_000,
  仟: 1_000,
};

/** A number with the signs for tens, hundreds and so on. */
const placedNumeral = new RegExp(
  `[${numeralSigns}\\d]*[十拾百佰千仟万萬][${numeralSigns}\\d]*`,
  "gu",
);

/** Reads Japanese and Chinese numerals as digits: `四七一一` one by one, and `四千七百十一` as one number. */
export function numeralDigits(text: string): string | undefined {
  const digits = text.replace(placedNumeral, numeralValue);
  const plain = Array.from(
    digits,
    (digit) => numerals.get(digit) ?? (/\d/.test(digit) ? digit : ""),
  ).join("");
  return plain.length >= 2 ? plain : undefined;
}

function numeralValue(number: string): string {
  let [whole, part, digits] = [0, 0, ""];
  for (const sign of number) {
    const place = places[sign];
    if (place !== undefined) [part, digits] = [part + Number(digits || 1) * place, ""];
    else if (sign === "万" || sign === "萬")
      [whole, part, digits] = [whole + (part + Number(digits || 0)) * 10_000, 0, ""];
    else digits += numerals.get(sign) ?? sign;
  }
  return String(whole + part + Number(digits || 0));
}
