const escape = 27;
const space = 32;
const deletion = 127;
/** A colour of a terminal, after the escape character. */
const colour = /\[[\d;]{0,20}m/y;

/**
 * Returns a line without white space around it, and without the control characters and colours before it. Some programs
 * write them: a file that was cleared while it was open begins with NUL. A regular expression for all of them would
 * overflow its stack.
 */
export function withoutControls(line: string): string {
  const text = line.trim();
  let at = 0;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === escape) {
      colour.lastIndex = at + 1;
      if (!colour.test(text)) return text.slice(at);
      at = colour.lastIndex;
    } else if (code <= space || code === deletion) at += 1;
    else return at === 0 ? text : text.slice(at);
  }
}
