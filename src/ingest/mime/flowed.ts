import type { StructuredHeader } from "./structured-header.ts";

/** Returns whether a line that ends with a blank continues in the next one (RFC 3676). */
export function isFlowed(type: StructuredHeader): boolean {
  return type.parameter("format")?.toLowerCase() === "flowed";
}

/**
 * Joins each paragraph into one line (RFC 3676 4). Lines of different quotation depths are never joined, because they
 * belong to different people. Works on bytes, because these characters are ASCII in every set but UTF-16 and UTF-32.
 * Texts in those contain NULs and stay unchanged.
 */
export function unflowed(text: Uint8Array, type: StructuredHeader): Uint8Array {
  if (text.includes(0)) return text;
  const takesBlank = type.parameter("delsp")?.toLowerCase() === "yes";
  const paragraphs: string[] = [];
  let depth = 0;
  let goesOn = false;
  const lines = Buffer.from(text.buffer, text.byteOffset, text.length).toString("latin1");
  for (const line of lines.split(/\r?\n/)) {
    const quoted = /^>*/.exec(line)?.[0].length ?? 0;
    // Removes the blank that was added so that the line is not read as a quotation.
    const words = line.slice(quoted).replace(/^ /, "");
    const isSignature = words === "-- ";
    // An empty line separates paragraphs even if the line above ends with a blank.
    const continues = goesOn && quoted === depth && words !== "" && !isSignature;
    depth = quoted;
    goesOn = words.endsWith(" ") && !isSignature;
    const kept = goesOn && takesBlank ? words.slice(0, -1) : words;
    if (continues) paragraphs[paragraphs.length - 1] = (paragraphs.at(-1) ?? "") + kept;
    else paragraphs.push(`${">".repeat(quoted)}${quoted > 0 && words !== "" ? " " : ""}${kept}`);
  }
  return Buffer.from(paragraphs.join("\n"), "latin1");
}
