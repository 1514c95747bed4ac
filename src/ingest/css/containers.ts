import { appliesToContainer } from "./media.ts";
import type { Declaration } from "./properties.ts";
import { lengthOf } from "./values.ts";

/**
 * Creates the test whether a condition of `@container` may be true for one of the containers that a page declares (CSS
 * Conditional 5, section 5). Conditions may also refer to the style of any element.
 */
export function containersOf(
  blocks: readonly (readonly Declaration[])[],
): (prelude: string) => boolean {
  const names = new Set<string>();
  const widths = new Set<number>();
  for (const block of blocks) {
    const said = block.filter(({ name }) => /^container(?:-name|-type)?$/.test(name));
    if (said.length === 0) continue;
    for (const { name, value } of said) {
      const given = name === "container-type" ? "" : (value.split("/", 1)[0] ?? "");
      for (const one of given.split(" ")) names.add(one);
      // A variable may contain any name.
      if (value.includes("var(")) names.add("*");
      if (name === "container-name") continue;
      if (!/\b(?:size|inline-size)\b/.test(value) && !value.includes("var(")) continue;
      for (const size of block) if (size.name.endsWith("width")) widths.add(lengthOf(size.value));
      // A container is at most as wide as the window.
      widths.add(Infinity);
    }
  }
  return (prelude) => {
    const [, name] = /^\s*(?!not\b|style\(|scroll-state\()([\w-]+)(?!\()/i.exec(prelude) ?? [];
    if (name !== undefined && !names.has(name.toLowerCase()) && !names.has("*")) return false;
    if (/\b(?:style|scroll-state)\(/i.test(prelude)) return true;
    // The height of a box depends on its content.
    if (/\b(?:height|block-size|aspect-ratio|orientation)\b/i.test(prelude)) return widths.size > 0;
    return [...widths].some((width) => appliesToContainer(prelude, width));
  };
}
