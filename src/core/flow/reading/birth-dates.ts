// Dates of birth in digits. Other dates are no secrets.

const date = /(?<!\d)(\d{1,4})[-./ ]{1,2}(\d{1,2})[-./ ]{1,2}(\d{2,4})(?!\d)/g;
const label =
  "born|date of birth|birth ?date|birthday|dob|geboren|geburtsdatum|geb|ne le|nee le|date de naissance|nacid[oa]|fecha de nacimiento|nat[oa]|data di nascita|nascid[oa]|data de nascimento|geboortedatum|дата рождения";
const before = new RegExp(String.raw`(?<!\p{L})(?:${label})(?!\p{L})[^\d\n]{0,20}$`, "u");
/** German and Dutch may name the date first. */
const after = /^[^\d.\n]{0,20}(?<!\p{L})geboren(?!\p{L})/u;
const mostBefore = 45;
const mostAfter = 30;

/** Returns the digits of the dates of birth in a normalised text, with the year first and with the year last. */
export function birthDatesIn(plain: string): string[] {
  const found: string[] = [];
  for (const { 0: whole, 1: one = "", 2: two = "", 3: three = "", index } of plain.matchAll(date)) {
    const end = index + whole.length;
    const isBirth =
      before.test(plain.slice(Math.max(0, index - mostBefore), index)) ||
      after.test(plain.slice(end, end + mostAfter));
    if (!isBirth) continue;
    const [first, second, last] = [one.padStart(2, "0"), two.padStart(2, "0"), three];
    if (first.length + last.length === 6) found.push(first + second + last, last + second + first);
  }
  return found;
}
