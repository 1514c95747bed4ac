/**
 * The letters of the basic plane, without the marks that separate sentences in Greek, Hebrew, Arabic, Urdu and Hindi. A class
 * of Unicode takes several times longer to compile in every thread.
 */
const letters =
  "A-Za-zªµºÀ-ÖØ-öø-ʯͰ-ͽͿ-ΏΑ-\u05BD\u05BF-\u060B\u060D-\u061A\u061C-\u061E\u0620-\u06D3\u06D5-\u0963\u0966-῿Ⰰ-ⷿ々-〇ぁ-ퟻ豈-﷿Ａ-Ｚａ-ﾟ";
const classes: Readonly<Record<string, string>> = {
  L: letters,
  N: "0-9²³¹¼-¾٠-٩۰-۹०-९０-９",
  Latin: "A-Za-zªºÀ-ÖØ-öø-ʯḀ-ỿ",
  Cjk: "々-〇ぁ-ヿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ",
};

/** Returns a pattern with ranges in place of `\p{L}`, `\p{N}`, `\p{Latin}` and `\p{Cjk}`. */
export function withRanges(source: string, flags = ""): RegExp {
  const ranges = source.replace(/\[(?:\\.|[^\]\\])*\]|\\p\{(\w+)\}/gsu, (part, name?: string) =>
    name === undefined
      ? part.replace(/\\p\{(\w+)\}/gu, (_, inside: string) => classes[inside] ?? "")
      : `[${classes[name] ?? ""}]`,
  );
  return new RegExp(ranges, flags);
}
