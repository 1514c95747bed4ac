/** A piece ends after this many characters. It is parsed in some milliseconds. */
const pieceCharacters = 65_536;
/** A longer resource is parsed without its calendar file. Characters. */
const longCharacters = 131_072;

/**
 * Divides a multistatus response (RFC 4918, section 13) into parts with a few resources each, because the parser blocks
 * the event loop. Yields the whole response if it has another form.
 */
export function* piecesOf(xml: string): Generator<string> {
  const [head = "", prefix = ""] =
    /^[^]{0,2000}?<((?:[\w.-]{1,50}:)?)multistatus\b[^>]{0,5000}(?<!\/)>/.exec(xml) ?? [];
  if (head === "") {
    yield xml;
    return;
  }
  const end = `</${prefix}multistatus>`;
  // The end of a resource, or the beginning of a comment or CDATA section, whose tags are text.
  const boundary = /<!\[CDATA\[|<!--|<\/(?:[\w.-]{1,50}:)?response\s*>/g;
  let start = head.length;
  /** The end of the last resource. */
  let before = start;
  boundary.lastIndex = start;
  for (let found = boundary.exec(xml); found !== null; found = boundary.exec(xml)) {
    const next = boundary.lastIndex;
    if (found[0].startsWith("<!")) {
      const close = found[0] === "<!--" ? "-->" : "]]>";
      const closed = xml.indexOf(close, next);
      boundary.lastIndex = closed === -1 ? xml.length : closed + close.length;
      continue;
    }
    // A long resource is alone in its piece.
    if (next - before >= longCharacters && before > start) {
      yield head + xml.slice(start, before) + end;
      start = before;
    }
    before = next;
    if (next - start < pieceCharacters) continue;
    yield head + xml.slice(start, next) + end;
    start = next;
  }
  yield head + xml.slice(start);
}

/**
 * Separates the calendar file from a long response of one resource. Returns undefined if the response is short or has
 * another form.
 */
export function calendarFileIn(piece: string): { rest: string; text: string } | undefined {
  if (piece.length < longCharacters) return undefined;
  const open = /<((?:[\w.-]{1,50}:)?calendar-data)(?:\s[^>]{0,1000})?(?<!\/)>/.exec(piece);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const end = piece.indexOf(`</${open[1]}`, start);
  if (end < start + longCharacters / 2) return undefined;
  const text = textIn(piece.slice(start, end).trim());
  return text === undefined ? undefined : { rest: piece.slice(0, start) + piece.slice(end), text };
}

const names = { lt: "<", gt: ">", quot: '"', apos: "'" } as const;

/** Returns the text of an element. Undefined if it contains more than text. */
function textIn(xml: string): string | undefined {
  if (xml.startsWith("<![CDATA[")) {
    const end = xml.indexOf("]]>");
    return end === xml.length - 3 ? xml.slice(9, end) : undefined;
  }
  if (xml.includes("<")) return undefined;
  let text = xml.replaceAll("&#13;", "\r");
  for (const [name, sign] of Object.entries(names)) text = text.replaceAll(`&${name};`, sign);
  return text
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (all, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : all;
    })
    .replaceAll("&amp;", "&");
}
