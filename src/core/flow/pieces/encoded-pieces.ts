import type { Span } from "../reading/reading.ts";

/** Ordinary words have no digit, capital or padding, and do not match. */
const mayBePiece =
  /(?<![\w+/=-])(?=[a-z+/_-]*[A-Z\d=])(?:[A-Za-z0-9+/_-]{2,24}={1,2}|(?:[A-Za-z0-9+/_-]{4}){1,6}|[A-Za-z0-9+/_-]{6,23})(?![\w+/=-])/g;
/** The characters of codes and addresses. Few words decode to only such characters. */
const pieceForm = /^[\w.@:/+&?=%~ -]{1,20}$/;

/** Decodes short encoded words of a text, and returns the results with their places. */
export function decodedPieces(text: string): { text: string; span: Span }[] {
  const found: { text: string; span: Span }[] = [];
  for (const { 0: run, index } of text.matchAll(mayBePiece)) {
    const span = { start: index, end: index + run.length };
    const isHex = /^(?:[2-7][0-9a-f])+$/i.test(run);
    const ways = [isHex ? Buffer.from(run, "hex") : undefined, Buffer.from(run, "base64url")];
    for (const bytes of ways) {
      const decoded = bytes?.toString("latin1");
      if (decoded !== undefined && pieceForm.test(decoded))
        found.push({ text: decoded.toLowerCase(), span });
    }
  }
  return found;
}
