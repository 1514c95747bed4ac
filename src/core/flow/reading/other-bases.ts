import { oneScript, printable } from "./printable.ts";

// Encodings of bytes by digits of base 32, 58 and 85, and of characters by their numbers.

const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const base58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

export function base32Decoded(run: string): string | undefined {
  const digits = run.replace(/=+$/, "").toUpperCase();
  if (/[^A-Z2-7]/.test(digits)) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const digit of digits) {
    value = ((value << 5) | base32Digits.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (value >> bits) & 0xff;
    // Most ordinary words end here. No text begins with the middle of a UTF-8 character.
    if (bytes.length === 0 && byte >= 0x80 && byte < 0xc0) return undefined;
    bytes.push(byte);
  }
  return printable(Buffer.from(bytes));
}

export function base58Decoded(run: string): string | undefined {
  let value = 0n;
  for (const digit of run) value = value * 58n + BigInt(base58Digits.indexOf(digit));
  const hex = value.toString(16);
  return printable(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex"));
}

export function ascii85Decoded(run: string): string | undefined {
  const digits = run.replace(/^<~|~>$/g, "").replaceAll("z", "!!!!!");
  if (digits.length % 5 === 1 || /[^!-u]/.test(digits)) return undefined;
  const bytes: number[] = [];
  for (let at = 0; at < digits.length; at += 5) {
    const group = digits.slice(at, at + 5);
    let value = 0;
    for (const digit of group.padEnd(5, "u")) value = value * 85 + digit.charCodeAt(0) - 33;
    for (let byte = 3; byte > 4 - group.length; byte -= 1)
      bytes.push(Math.floor(value / 256 ** byte) & 0xff);
  }
  return printable(Uint8Array.from(bytes));
}

export function binaryDecoded(run: string): string | undefined {
  return printable(
    Buffer.from((run.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))),
  );
}

export function codesDecoded(run: string): string | undefined {
  const codes = run.split(/\D+/).map(Number);
  if (codes.some((code) => code < 0x20 || code > 0xff_ff)) return undefined;
  const beyond = codes.filter((code) => code > 0xff).length;
  const text = String.fromCharCode(...codes);
  // Bytes of UTF-8, or the numbers of the characters. Most rows of large numbers are no text.
  if (beyond === 0) return printable(Uint8Array.from(codes)) ?? printable(Buffer.from(text));
  return beyond * 2 >= codes.length && oneScript.test(text) ? text : undefined;
}

export function octalCodesDecoded(run: string): string | undefined {
  const codes = run.match(/\d+/g) ?? [];
  if (codes.some((code) => /[89]/.test(code))) return undefined;
  if (codes.some((code) => code.length > 3)) return undefined;
  return printable(Uint8Array.from(codes, (code) => Number.parseInt(code, 8)));
}

export function joinedCodesDecoded(run: string): string | undefined {
  const codes = run.match(/^[01]/.test(run) ? /.{3}/g : /.{2}/g) ?? [];
  return printable(Uint8Array.from(codes, Number));
}

export function octalDecoded(run: string): string | undefined {
  return printable(
    Buffer.from(
      run
        .slice(1)
        .split("\\")
        .map((code) => Number.parseInt(code, 8)),
    ),
  );
}
