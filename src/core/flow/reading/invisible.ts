import { type Reading, replaced } from "./reading.ts";

// Invisible characters that can carry a text: tags, variation selectors, and rows of zero-width characters.

const tags = /[\u{E0020}-\u{E007E}]+/gu;
const firstTag = 0xe_00_00;
const selectors = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4,}/gu;
const firstSelector = 0xfe_00;
const firstOfMore = 0xe_01_00;
/** Bytes of the selectors in the first block. */
const inFirstBlock = 16;
/** Rows of at least three bytes, written with two different characters. */
const bitRows = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]{21,}/gu;

const ignorable = /\p{Default_Ignorable_Code_Point}/u;

/** Reads the text that invisible characters of a text stand for. Undefined if there are none. */
export function fromInvisible(
  source: Reading,
  decode: (bytes: Uint8Array) => string | undefined,
): Reading | undefined {
  if (!ignorable.test(source.text)) return undefined;
  const codesOf = (run: string): number[] => Array.from(run, (sign) => sign.codePointAt(0) ?? 0);
  return (
    replaced(source, tags, (run) =>
      decode(Uint8Array.from(codesOf(run), (code) => code - firstTag)),
    ) ??
    replaced(source, selectors, (run) =>
      decode(
        Uint8Array.from(codesOf(run), (code) =>
          code < firstOfMore ? code - firstSelector : code - firstOfMore + inFirstBlock,
        ),
      ),
    ) ??
    replaced(source, bitRows, (row) => bytesOf(row).map(decode).find(Boolean))
  );
}

/** Returns the bytes of a row of two different characters. Either of them may be the 1, and a byte has 8 or 7 bits. */
function bytesOf(row: string): Uint8Array[] {
  const [zero, one, ...more] = new Set(row);
  if (zero === undefined || one === undefined || more.length > 0) return [];
  return [8, 7].flatMap((size) =>
    [one, zero].map((set) => {
      const bits = Array.from(row, (sign) => (sign === set ? "1" : "0")).join("");
      const bytes = bits.match(new RegExp(`.{${size}}`, "g")) ?? [];
      return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
    }),
  );
}
