/** One content line of a calendar file (RFC 5545, section 3.1), with its original bytes. */
export interface ContentLine {
  /** The text in the file, including folds and line end. */
  raw: string;
  /** In upper case. Empty for a blank line. */
  name: string;
  /** The whole unfolded line: `DTSTART;TZID=Europe/Berlin:20261123T090000`. */
  text: string;
}

export interface Component {
  /** In upper case. Empty for the root. */
  name: string;
  begin: string;
  items: (ContentLine | Component)[];
  end: string;
}

/** Deepest nesting: VCALENDAR, VEVENT, VALARM and some margin. Deeper files could exhaust the stack. */
const maxDepth = 8;

export function isComponent(item: ContentLine | Component): item is Component {
  return "items" in item;
}

/**
 * Parses a file into a tree from which `serialise` restores every byte.
 * @throws if BEGIN and END lines do not match
 */
export function parseLines(text: string): Component {
  const root: Component = { name: "", begin: "", items: [], end: "" };
  const open = [root];
  for (const raw of logicalLines(text)) {
    const line = { raw, name: "", text: withoutLineEnd(raw.replaceAll(/\r?\n[ \t]/g, "")) };
    line.name = (/^[^:;]*/.exec(line.text)?.[0] ?? "").trim().toUpperCase();
    const parent = open.at(-1) ?? root;
    if (line.name === "BEGIN") {
      const child = { name: componentName(line.text), begin: raw, items: [], end: "" };
      if (open.length > maxDepth) throw new Error("components are nested too deeply");
      parent.items.push(child);
      open.push(child);
    } else if (line.name === "END") {
      if (open.length === 1 || parent.name !== componentName(line.text)) {
        throw new Error(`END of ${componentName(line.text)} does not match`);
      }
      parent.end = raw;
      open.pop();
    } else {
      parent.items.push(line);
    }
  }
  if (open.length > 1) throw new Error(`${open.at(-1)?.name ?? ""} does not end`);
  return root;
}

export function serialise(component: Component): string {
  const inner = component.items.map((item) => (isComponent(item) ? serialise(item) : item.raw));
  return component.begin + inner.join("") + component.end;
}

export function children(component: Component, name: string): Component[] {
  return component.items.filter(isComponent).filter((child) => child.name === name);
}

export function lines(component: Component, name: string): ContentLine[] {
  return component.items.filter(
    (item): item is ContentLine => !isComponent(item) && item.name === name,
  );
}

/** Creates a line, folded at 75 octets (RFC 5545, section 3.1), with the file's own line ends. */
export function makeLine(text: string, eol: string): ContentLine {
  let raw = "";
  let octets = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      raw += `${eol} `;
      octets = 1;
    }
    raw += character;
    octets += size;
  }
  return { raw: raw + eol, name: /^[^:;]*/.exec(text)?.[0].toUpperCase() ?? "", text };
}

/** Returns the line end of a file. RFC 5545 requires CRLF, but some servers store LF. */
export function lineEnd(text: string): string {
  return text.includes("\r\n") || !text.includes("\n") ? "\r\n" : "\n";
}

/** Escapes a TEXT value (RFC 5545, section 3.3.11). */
export function escapeText(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll(";", "\\;")
    .replaceAll(",", "\\,")
    .replaceAll(/\r\n|\r|\n/g, "\\n");
}

function componentName(text: string): string {
  return text
    .slice(text.indexOf(":") + 1)
    .trim()
    .toUpperCase();
}

/** Removes the line end. A pattern would be slow on very many CRs. */
function withoutLineEnd(raw: string): string {
  let end = raw.length;
  while (end > 0 && /[\r\n]/.test(raw.charAt(end - 1))) end -= 1;
  return raw.slice(0, end);
}

function* logicalLines(text: string): Generator<string> {
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    const next = text[at + 1];
    if (next === " " || next === "\t") continue;
    yield text.slice(start, at + 1);
    start = at + 1;
  }
  if (start < text.length) yield text.slice(start);
}
