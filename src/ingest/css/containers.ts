import { appliesToContainer } from "./media.ts";
import type { Declaration } from "./properties.ts";
import { lengthOf } from "./values.ts";

/**
 * Creates the test whether a condition of `@container` may be true for one of the containers that a page declares (CSS
 * Conditional 5, section 5). Conditions may also refer to the style of any element.
 */
export function containersOf(
  blocks: readonly (readonly Declaration[])[],
  registered: ReadonlyMap<string, unknown>,
): (prelude: string) => boolean {
  const mayHave = stylesOf(blocks, registered);
  const names = new Set<string>();
  const widths = new Set<number>();
  let hasContainer = false;
  for (const block of blocks) {
    // A container without a width is as wide as a box around it, which may have any of these.
    for (const { name, value } of block) if (isWidth.test(name)) widths.add(lengthOf(value));
    const said = block.filter(({ name }) => /^container(?:-name|-type)?$/.test(name));
    if (said.length === 0) continue;
    for (const { name, value } of said) {
      const given = name === "container-type" ? "" : (value.split("/", 1)[0] ?? "");
      for (const one of given.split(" ")) names.add(one);
      // A variable may contain any name.
      if (value.includes("var(")) names.add("*");
      if (name === "container-name") continue;
      if (!/\b(?:size|inline-size)\b/.test(value) && !value.includes("var(")) continue;
      hasContainer = true;
      const isSized = block.some((one) => one.name === "width" && lengthOf(one.value) > 0);
      // A container is at most as wide as the window.
      if (!isSized) widths.add(Infinity);
    }
  }
  if (!hasContainer) widths.clear();
  return (prelude) => {
    const [, name] = /^\s*(?!not\b|style\(|scroll-state\()([\w-]+)(?!\()/i.exec(prelude) ?? [];
    if (name !== undefined && !names.has(name.toLowerCase()) && !names.has("*")) return false;
    if (/\b(?:style|scroll-state)\(/i.test(prelude)) return mayHave(prelude);
    // The height of a box depends on its content.
    if (/\b(?:height|block-size|aspect-ratio|orientation)\b/i.test(prelude)) return widths.size > 0;
    return [...widths].some((width) => appliesToContainer(prelude, width));
  };
}

const isWidth = /^(?:max-)?(?:width|inline-size)$/;

/** A condition that is one question for one value of a variable. */
const oneStyle = /^\s*(?:[\w-]+\s+)?style\(\s*(--[\w-]+)\s*:([^()]*)\)\s*$/i;

/**
 * Returns whether some element may have the style of a condition. Only questions for variables are answered with no.
 */
function stylesOf(
  blocks: readonly (readonly Declaration[])[],
  registered: ReadonlyMap<string, unknown>,
): (prelude: string) => boolean {
  const values = new Map<string, Set<string>>();
  const plain = (value: string): string => value.trim().replace(/\s+/g, " ").toLowerCase();
  for (const { name, value } of blocks.flat()) {
    if (!name.startsWith("--")) continue;
    const known = values.get(name.toLowerCase()) ?? new Set();
    values.set(name.toLowerCase(), known.add(value.includes("(") ? "(" : plain(value)));
  }
  return (prelude) => {
    const [, name, value] = oneStyle.exec(prelude) ?? [];
    if (name === undefined || value === undefined || /^not\b/i.test(prelude.trim())) return true;
    // A registered variable has a first value, and others that mean the same.
    if (registered.has(name.toLowerCase())) return true;
    const known = values.get(name.toLowerCase());
    return known !== undefined && (known.has("(") || known.has(plain(value)));
  };
}
