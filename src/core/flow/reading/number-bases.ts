import { type Reading, replaced } from "./reading.ts";

// Numbers that are written in another base, and IP addresses that are written as one number.

/** Error codes of Windows and its programs, which begin with these digits and are searched for. */
const errorCode = String.raw`(?!(?:80[0-9a-f]|87e|c00)[0-9a-f]{5}(?![0-9a-z]))`;

export const prefixedNumber = new RegExp(
  String.raw`(?<![0-9a-z])0(?:x${errorCode}[0-9a-f]{3,16}|b[01]{8,64}|o[0-7]{4,20})(?![0-9a-z])`,
  "gi",
);
/** Hexadecimal and binary numbers without a prefix. */
const bareNumber =
  /(?<![0-9a-z])(?:(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{4,16}|[01]{12,64})(?![0-9a-z])/gi;
const addressNumber = new RegExp(
  String.raw`(?<![0-9a-z.])(?:[1-9]\d{7,9}|0x${errorCode}[0-9a-f]{7,8}|(?=\d*[a-f])[0-9a-f]{8})(?![0-9a-z.])`,
  "gi",
);

/** Numbers from here on are addresses from 1.0.0.0 to 255.255.255.255. */
const [firstAddress, afterAddresses] = [2 ** 24, 2 ** 32];

export function inDecimal(number: string): string {
  return BigInt(number.toLowerCase()).toString();
}

/** Reads numbers without a prefix. These are no encodings, because every other word of a technical text may be one. */
export function bareNumbers(source: Reading): Reading | undefined {
  return replaced(source, bareNumber, (number) =>
    inDecimal(`${/^[01]+$/.test(number) ? "0b" : "0x"}${number}`),
  );
}

/** Reads IP addresses that are written as one number. */
export function dottedAddresses(source: Reading): Reading | undefined {
  return replaced(source, addressNumber, (number) => {
    const value = Number(/^(?:\d+|0x.*)$/.test(number) ? number : `0x${number}`);
    if (value < firstAddress || value >= afterAddresses) return undefined;
    return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
  });
}
