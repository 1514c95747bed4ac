const minus = 45;
const zero = 48;
const nine = 57;

/** Signs of a number that may lose digits. Fewer digits fit into a number. */
const suspicious = /\d{16}|[eE]\+?\d{3}/;

/**
 * Parses JSON, with text in the place of each number that would lose digits: an integer that is too long, such as an
 * id of 64 bits, and a number that would be infinite.
 * @throws SyntaxError
 */
export function parseExactly(json: string): unknown {
  return JSON.parse(suspicious.test(json) ? withQuotedNumbers(json) : json);
}

/** Returns whether the JSON may have a number that would lose digits. */
export function mayLoseDigits(json: string): boolean {
  return suspicious.test(json);
}

/** Returns whether a number from JSON may have lost digits of the text from which it was read. */
export function isInexact(value: number): boolean {
  if (!Number.isFinite(value)) return true;
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
  // A round number such as 1e20 is exact. An id has more digits.
  return value !== Number(value.toPrecision(15));
}

/** Returns whether a text is a number that `parseExactly` keeps as text. */
export function isLongNumber(text: string): boolean {
  return text.length >= 5 && /^-?\d+(?:\.\d+)?(?:[eE]\+?\d+)?$/.test(text) && losesDigits(text);
}

function losesDigits(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  return Number.isInteger(value) && /^-?\d+$/.test(token) && String(value) !== token;
}

/** Returns the JSON with such numbers as text. A pattern would exhaust the stack at a long string. */
function withQuotedNumbers(json: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length;) {
    if (json[at] === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (!startsNumber(json.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const end = endOfNumber(json, at);
    const token = json.slice(at, end);
    if (end - at >= 5 && losesDigits(token)) {
      parts.push(json.slice(from, at), `"${token}"`);
      from = end;
    }
    at = end;
  }
  return parts.join("") + json.slice(from);
}

function startsNumber(code: number): boolean {
  return code === minus || (code >= zero && code <= nine);
}

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && "0123456789.eE+-".includes(json.charAt(at))) at += 1;
  return at;
}

/** Returns the place after a string. A quotation mark after an odd number of backslashes is part of it. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}
