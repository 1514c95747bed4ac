import { type Reading, replaced } from "../reading/reading.ts";
import { wordTable } from "../../shared/text/word-table.ts";

// Large amounts that are written with a word: `41.7 million` and `84.5k`.

/** The number of zeros in each word. The spelling is that of `normalised`. */
const zeros = wordTable<number>({
  k: 3,
  tsd: 3,
  thousand: 3,
  tausend: 3,
  mille: 3,
  mila: 3,
  m: 6,
  mn: 6,
  mln: 6,
  mio: 6,
  million: 6,
  millions: 6,
  millionen: 6,
  miljoner: 6,
  miljoen: 6,
  millones: 6,
  milhoes: 6,
  milioni: 6,
  milionow: 6,
  millioner: 6,
  bn: 9,
  mrd: 9,
  billion: 9,
  milliarden: 9,
  milliards: 9,
  miliardi: 9,
  млн: 6,
  млрд: 9,
  тыс: 3,
});
const form = String.raw`(\d{1,3})(?:[.,](\d{1,3}))?\s?(${Object.keys(zeros).join("|")})(?![\p{L}\p{N}])`;
const shortAmount = new RegExp(String.raw`(?<![\p{L}\p{N}]|\p{N}[.,])${form}`, "gu");
const oneAmount = new RegExp(form, "u");
/** Fewest digits of such an amount. Two are frequent in news, and prove little. */
const leastDigits = 3;

function inDigits(amount: string): string | undefined {
  const [, whole = "", part = "", word = ""] = oneAmount.exec(amount) ?? [];
  const own = `${whole}${part}`.replace(/^0+/, "").replace(/0+$/, "");
  if (own.length < leastDigits || (part === "" && word === "m")) return undefined;
  return `${whole}${part.padEnd(zeros[word] ?? 0, "0")}`.replace(/^0+/, "");
}

/** Returns the digits of such amounts in a normalised text. */
export function shortAmountsIn(plain: string): string[] {
  return Array.from(plain.matchAll(shortAmount), ([amount]) => inDigits(amount)).filter(
    (digits) => digits !== undefined,
  );
}

/** Reads such amounts in digits. Undefined if there are none. */
export function amountsInDigits(source: Reading): Reading | undefined {
  return replaced(source, shortAmount, inDigits);
}
