// Streets with a house number in Chinese and Japanese. The spelling is that of `normalised`.

const chinese =
  /([\p{Script=Han}]{1,8}(?:路|街|道|巷|胡同|弄|里|村)) ?(\d{1,4}) ?(?:[弄号號](?: ?(\d{1,4}) ?(?:号|號|室|楼|栋))?)/gu;
const japanese =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ヶ々]{2,10}?) ?(\d{1,2}) ?(?:丁目 ?(\d{1,3}) ?(?:番地?(?:の| )?(?:(\d{1,3}) ?号?)?|-(\d{1,3})(?:-(\d{1,3}))?)?|-(\d{1,3})-(\d{1,3}))/gu;
/** The characters of a name that are kept. Those before it belong to a town. */
const longestName = 4;

const numbersOf = (found: readonly (string | undefined)[]): string[] =>
  found.filter((part) => part !== undefined);

/** Returns such streets with their number, as written and with the numbers alone. */
export function unspacedAddressesIn(plain: string): string[] {
  return [chinese, japanese].flatMap((form) =>
    Array.from(plain.matchAll(form)).flatMap(([whole, name = "", ...numbers]) => {
      const end = name.slice(-longestName);
      const written = whole.slice(name.length).replace(/[^\p{L}\p{N}]/gu, "");
      return [...new Set([end + written, end + numbersOf(numbers).join("")])];
    }),
  );
}
