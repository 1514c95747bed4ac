// Numbers that are written in another base, and IP addresses that are written as one number.

export const prefixedNumber =
  /(?<![0-9a-z])0(?:x[0-9a-f]{3,16}|b[01]{8,64}|o[0-7]{4,20})(?![0-9a-z])/gi;
/** Hexadecimal and binary numbers without a prefix. */
export const bareNumber =
  /(?<![0-9a-z])(?:(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{4,12}|[01]{12,48})(?![0-9a-z])/gi;
export const addressNumber = /(?<![\d.])[1-9]\d{7,9}(?![\d.])/g;

/** Numbers from here on are addresses from 1.0.0.0 to 255.255.255.255. */
const [firstAddress, afterAddresses] = [2 ** 24, 2 ** 32];

export function inDecimal(number: string): string {
  return BigInt(number.toLowerCase()).toString();
}

export function bareInDecimal(number: string): string {
  return inDecimal(`${/^[01]+$/.test(number) ? "0b" : "0x"}${number}`);
}

export function dottedAddress(number: string): string | undefined {
  const value = Number(number);
  if (value < firstAddress || value >= afterAddresses) return undefined;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
}
