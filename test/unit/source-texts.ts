/** A comment, a string or the title of a test in a source file. */
export interface SourceText {
  kind: "comment" | "string" | "title";
  /** The line on which it starts, from 1. */
  line: number;
  /** The words without comment signs and quotes. Each `${...}` of a template is `X`. */
  text: string;
  /** The code after a comment, or before a string or title, on the same or the nearest line. */
  code: string;
}

const beforeRegex =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|yield))\s*$/;
const regex = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const testCall = /\b(?:describe|it|test)(?:\.\w+)*(?:<[^()]*>)?\s*$/;

/** Returns code that ends with `)` without the bracket's content and the bracket itself. */
function beforeBrackets(code: string): string {
  let depth = 0;
  for (let at = code.length - 1; at >= 0; at -= 1) {
    if (code[at] === ")") depth += 1;
    if (code[at] === "(") depth -= 1;
    if (depth === 0) return code.slice(0, at);
  }
  return "";
}

/** Returns whether the text after this code is the title of a test: `it(`, or `it.each(...)(` with a table. */
function isTitleAfter(code: string): boolean {
  if (!/\(\s*$/.test(code.slice(-20))) return false;
  const call = code.trimEnd().slice(0, -1).trimEnd();
  return testCall.test((call.endsWith(")") ? beforeBrackets(call) : call).slice(-200));
}

/** Returns a function that counts the line feeds before an offset. It is fast for offsets that seldom go back. */
function lineCounter(source: string): (offset: number) => number {
  let [counted, lines] = [0, 0];
  return (offset) => {
    if (offset < counted) [counted, lines] = [0, 0];
    for (let at = source.indexOf("\n", counted); at !== -1 && at < offset;) {
      lines += 1;
      counted = at + 1;
      at = source.indexOf("\n", counted);
    }
    return lines;
  };
}

/** Returns the comments and strings of a TypeScript source. Adjacent line comments are one comment. */
export function textsOf(source: string): SourceText[] {
  const found: (SourceText & { start: number; end: number })[] = [];
  let at = 0;
  let code = "";

  const linesBefore = lineCounter(source);

  function add(kind: SourceText["kind"], start: number, text: string): void {
    const before = code.slice(code.lastIndexOf("\n", code.length - 1) + 1);
    found.push({ kind, line: linesBefore(start) + 1, text, code: before, start, end: at });
  }

  function lineComment(): void {
    const start = at;
    const stop = source.indexOf("\n", at);
    at = stop === -1 ? source.length : stop;
    const text = source.slice(start + 2, at).trim();
    const last = found.at(-1);
    const between = last === undefined ? "x" : source.slice(last.end, start);
    const isAlone = source.slice(source.lastIndexOf("\n", start - 1) + 1, start).trim() === "";
    if (last?.kind === "comment" && isAlone && /^\n[ \t]*$/.test(between)) {
      last.text += ` ${text}`;
      last.end = at;
    } else add("comment", start, text);
  }

  function blockComment(): void {
    const start = at;
    const stop = source.indexOf("*/", at + 2);
    at = stop === -1 ? source.length : stop + 2;
    const text = source
      .slice(start, at)
      .replaceAll(/^\/\*+|\*+\/$/g, "")
      .replaceAll(/^[ \t]*\*[ \t]?/gm, "")
      .trim();
    add("comment", start, text);
  }

  function quoted(quote: string): void {
    const start = at;
    at += 1;
    while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
    at += 1;
    add(isTitleAfter(code) ? "title" : "string", start, source.slice(start + 1, at - 1));
    code += '""';
  }

  function template(): void {
    const start = at;
    const isTitle = isTitleAfter(code);
    const isPattern = code.endsWith("String.raw");
    let text = "";
    at += 1;
    while (at < source.length && source[at] !== "`") {
      if (source.startsWith("${", at)) {
        at += 2;
        const outer = code;
        code = "(";
        scan("}");
        code = outer;
        text += "X";
      } else {
        const step = source[at] === "\\" ? 2 : 1;
        text += source.slice(at, at + step);
        at += step;
      }
    }
    at += 1;
    if (!isPattern) add(isTitle ? "title" : "string", start, text);
    code += '""';
  }

  /** Reads code up to the closing sign of a nested block, or to the end. */
  function scan(close?: string): void {
    let depth = 0;
    while (at < source.length) {
      const sign = source[at] ?? "";
      if (source.startsWith("//", at)) lineComment();
      else if (source.startsWith("/*", at)) blockComment();
      else if (sign === '"' || sign === "'") quoted(sign);
      else if (sign === "`") template();
      else if (sign === "/" && beforeRegex.test(code.slice(-40))) {
        regex.lastIndex = at;
        const length = regex.exec(source)?.[0].length ?? 1;
        at += length;
        code += "r";
      } else {
        if (close !== undefined && sign === "{") depth += 1;
        if (sign === close && depth-- === 0) {
          at += 1;
          return;
        }
        code += sign;
        at += 1;
      }
    }
  }

  scan();
  return found
    .toSorted((a, b) => a.start - b.start)
    .map(({ start: _start, end, ...text }) => ({
      ...text,
      code: text.kind === "comment" ? source.slice(end, end + 200).trimStart() : text.code,
    }));
}
