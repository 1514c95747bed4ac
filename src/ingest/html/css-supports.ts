import { holds } from "./css-media.ts";
import { isValid } from "./css-properties.ts";

/** The properties of common browsers, by their first word. */
const properties =
  /^(?:-webkit-(?:appearance|background|box|filter|font|line|mask|text|transform|user)|accent|align|all|animation|appearance|aspect|backdrop|backface|background|block|border|bottom|box|break|caret|clear|clip|color|column|columns|contain|container|content|counter|cursor|direction|display|empty|fill|filter|flex|float|font|gap|grid|height|hyphens|image|inline|inset|isolation|justify|left|letter|line|list|margin|mask|max|min|mix|object|offset|opacity|order|orphans|outline|overflow|overscroll|padding|page|paint|perspective|place|pointer|position|quotes|resize|right|rotate|row|scale|scroll|shape|stroke|tab|table|text|top|touch|transform|transition|translate|unicode|user|vertical|visibility|white|widows|width|will|word|writing|z|zoom)(?:-[a-z-]+)?$/;

/** A function with up to two functions nested in it. */
const call = /([\w-]+)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Returns whether rules under `@supports` apply to a common browser (CSS Conditional 4). */
export function isSupported(condition: string): boolean {
  const text = condition
    .slice(0, 2_000)
    .toLowerCase()
    .replace(call, (_, name: string) =>
      /^(?:selector|font-tech|font-format)$/.test(name) ? "(selector:x)" : "f",
    );
  return holds(text, isKnown) === true;
}

function isKnown(text: string): boolean {
  const [, name = "", value = ""] = /^([\w-]+)\s*:\s*(.+)$/s.exec(text) ?? [];
  if (name === "selector" || name.startsWith("--")) return true;
  return properties.test(name) && (/\bf\b/.test(value) || isValid({ name, value: value.trim() }));
}
