/** Unchanged lines that are shown before and after a change. */
const context = 2;

/**
 * Returns the lines that differ, in the form of `diff -u`, with a few lines around them. Everything between the first
 * and the last difference counts as changed, because only one entry of a file changes.
 */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const marked = (sign: string, lines: readonly string[]): string[] =>
    lines.map((line) => `${sign} ${line}`.trimEnd());
  return [
    ...marked(" ", old.slice(Math.max(0, head - context), head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", now.slice(head, now.length - tail)),
    ...marked(" ", old.slice(old.length - tail, old.length - tail + context)),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split(/\r?\n/);
}
