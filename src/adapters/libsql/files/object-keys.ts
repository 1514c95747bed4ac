import { randomHex } from "../../../core/shared/digest.ts";
import { attachmentKey, rawKey, textKey } from "../../../ports/mail/mail-objects.ts";
import type { SqlValue } from "../driver/statement.ts";

/**
 * The keys of mail end with a hash in hexadecimal. A column has such a key as 33 bytes, a letter and the hash, because
 * the keys took an eighth of the space of short mail. All other keys are text. The letters have the order of the keys.
 * Stored objects are found by these letters, so they must never change.
 */
const places: readonly [place: string, letter: string][] = [
  [attachmentKey(""), "a"],
  [rawKey(""), "r"],
  [textKey(""), "t"],
];

const hashDigits = 64;
const isHash = (text: string): boolean => text.length === hashDigits && !/[^0-9a-f]/.test(text);

/** Returns a key as a column has it. */
export function storedKey(key: string): SqlValue {
  for (const [place, letter] of places)
    if (key.startsWith(place) && isHash(key.slice(place.length)))
      return keyBytes(letter, key.slice(place.length));
  return key;
}

const etagDigits = 12;
const etagForm = new RegExp(`^[0-9a-f]{${etagDigits}}$`);

/** Returns a new version of an object: 48 random bits, because each of many small objects stores one. */
export const freshEtag = (): string => randomHex(etagDigits / 2);

/** Returns a version as a column has it: a number. A version of another store becomes -1, which no object has. */
export function storedEtag(etag: string): number {
  return etagForm.test(etag) ? Number.parseInt(etag, 16) : -1;
}

/** Returns the version of a column. */
export const etagOf = (stored: number): string => stored.toString(16).padStart(etagDigits, "0");

/** Returns the key of a column. */
export function keyOf(stored: SqlValue | undefined): string {
  if (!(stored instanceof Uint8Array)) return String(stored);
  const bytes = Buffer.from(stored);
  const [place = ""] = places.find(([, letter]) => letter === bytes.toString("latin1", 0, 1)) ?? [];
  return place + bytes.toString("hex", 1);
}

/**
 * Returns conditions for keys that have a prefix and come after `after`. Text and each kind of mail have one of their
 * own. They are ranges, because LIKE would interpret some characters of a key.
 */
export function keyRanges(
  prefix: string,
  after: string | undefined,
): { condition: string; args: SqlValue[] }[] {
  const end = behindAll(prefix);
  const isAfter = after !== undefined && !isBefore(after, prefix);
  const start = isAfter ? after : prefix;
  const mailRanges = places.map(([place, letter]): [Buffer, Buffer] => [
    firstFrom(isAfter ? `${start}\0` : start, place, letter),
    end === undefined ? behindPlace(letter) : firstFrom(end, place, letter),
  ]);
  return [
    {
      // The driver would change a text with a zero. Every text comes before the empty list of bytes.
      condition: `key ${isAfter ? ">" : ">="} ? AND key < ?`,
      args: [start, end ?? Buffer.alloc(0)],
    },
    ...mailRanges
      .filter(([first, last]) => Buffer.compare(first, last) < 0)
      .map((args) => ({ condition: "key >= ? AND key < ?", args })),
  ];
}

/** Returns the bytes from which all hashes of a place have keys from `key` on. They need not be those of a hash. */
function firstFrom(key: string, place: string, letter: string): Buffer {
  if (key <= place) return Buffer.from(letter);
  if (!key.startsWith(place)) return behindPlace(letter);
  const digits = /[0-9a-f]*/.exec(key.slice(place.length))?.[0].slice(0, hashDigits) ?? "";
  const next = key.charAt(place.length + digits.length);
  if (digits.length === hashDigits || next > "f") {
    // The zero comes after this hash, and before the next one.
    const hash = keyBytes(letter, digits.padEnd(hashDigits, "f"));
    return next === "" ? hash : Buffer.concat([hash, Buffer.alloc(1)]);
  }
  return keyBytes(letter, (next > "9" ? `${digits}a` : digits).padEnd(hashDigits, "0"));
}

const behindPlace = (letter: string): Buffer =>
  Buffer.from(String.fromCodePoint(letter.charCodeAt(0) + 1));

const keyBytes = (letter: string, hash: string): Buffer =>
  Buffer.concat([Buffer.from(letter), Buffer.from(hash, "hex")]);

/** Compares keys by their UTF-8 bytes. */
export const isBefore = (one: string, other: string): boolean =>
  Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;

/** Returns the first string after all that begin with this one. Undefined if there is none. */
function behindAll(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return undefined;
    // U+D800 to U+DFFF are surrogates and not characters. U+10FFFF is the last one.
    const next = code === 0xd7ff ? 0xe000 : code + 1;
    if (next <= 0x10ffff) return characters.join("") + String.fromCodePoint(next);
  }
}
