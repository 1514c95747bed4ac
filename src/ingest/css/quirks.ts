/**
 * Properties whose lengths may have no unit (Quirks Mode, section 3.2). Shorthands with other values are not included.
 */
const lengths = new Set(
  "border-top-width bottom font-size height left letter-spacing margin margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width padding padding-bottom padding-left padding-top right text-indent top vertical-align width word-spacing".split(
    " ",
  ),
);
/** Properties whose colours may have no `#` (section 3.1). */
const colours = new Set(["color", "background-color"]);

/** Returns the value of a declaration in a page without a document type, which a browser reads in quirks mode. */
export function quirkyValue({ name, value }: { name: string; value: string }): string {
  if (colours.has(name)) return /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(value) ? `#${value}` : value;
  if (!lengths.has(name)) return value;
  return value.replace(/(?<![^\s])[+-]?(?:\d+\.?\d*|\.\d+)(?![^\s])/g, "$&px");
}

/** The initial values of a table in such a page. Its colour is that of the body (HTML, section 15.3.10). */
export const tableStyle = [
  ["font-size", "medium"],
  ["line-height", "normal"],
  ["white-space", "normal"],
  ["text-align", "start"],
] as const;

export const resetNames = [...tableStyle.map(([name]) => name), "color"];
