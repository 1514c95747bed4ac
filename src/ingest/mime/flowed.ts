import { parameterOf } from "./mime-parts.ts";

/** Whether the lines of a text go on in the next where they end with a blank (RFC 3676). */
export function isFlowed(contentType: string): boolean {
  return parameterOf(contentType, "format")?.toLowerCase() === "flowed";
}

export function withoutFlow(contentType: string): string {
  return contentType.replace(/;\s*format\s*=\s*(?:"[^"]*"|[^\s;"]*)/i, "");
}

/**
 * With each paragraph on one line (RFC 3676 4). Not by the parser: it joins lines of different quotations, so that an answer
 * becomes the words of whom it answers. By bytes, since these few are ASCII's in every character set but UTF-16 and UTF-32,
 * whose texts hold NULs and stay as they are.
 */
export function unflowed(text: Uint8Array, contentType: string): Uint8Array {
  if (text.includes(0)) return text;
  const takesBlank = parameterOf(contentType, "delsp")?.toLowerCase() === "yes";
  const paragraphs: string[] = [];
  let depth = 0;
  let goesOn = false;
  const lines = Buffer.from(text.buffer, text.byteOffset, text.length).toString("latin1");
  for (const line of lines.split(/\r?\n/)) {
    const quoted = /^>*/.exec(line)?.[0].length ?? 0;
    // A blank at the beginning was put there so that the line is no quotation.
    const words = line.slice(quoted).replace(/^ /, "");
    const isSignature = words === "-- ";
    // An empty line parts paragraphs also where the one above ends with a blank.
    const continues = goesOn && quoted === depth && words !== "" && !isSignature;
    depth = quoted;
    goesOn = words.endsWith(" ") && !isSignature;
    const kept = goesOn && takesBlank ? words.slice(0, -1) : words;
    if (continues) paragraphs[paragraphs.length - 1] = (paragraphs.at(-1) ?? "") + kept;
    else paragraphs.push(`${">".repeat(quoted)}${quoted > 0 && words !== "" ? " " : ""}${kept}`);
  }
  return Buffer.from(paragraphs.join("\n"), "latin1");
}
