import { lengthOf } from "./values.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

const namedSizes = wordTable<number>({
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  initial: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
  "xxx-large": 48,
});

/** Returns the font size of an element in CSS pixels. */
export function fontSizeOf(
  value: string | undefined,
  { fontSize: outer, rootSize }: { fontSize: number; rootSize: number },
): number {
  if (value === undefined) return outer;
  if (value === "smaller") return outer / 1.2;
  if (value === "larger") return outer * 1.2;
  const given = value.replace(/([\d.]+)rem\b/g, (_, rem: string) => `${Number(rem) * rootSize}px`);
  const size = namedSizes[value] ?? lengthOf(given, outer, outer);
  return Number.isNaN(size) || size < 0 ? outer : size;
}
