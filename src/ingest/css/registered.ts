import { colourOf, lengthOf } from "./values.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

/** A custom property that `@property` declares (CSS Properties and Values 1, section 2). */
export interface Registered {
  /** In lower case, without quotes. */
  syntax: string;
  inherits: boolean;
  initial: string | undefined;
}

/** Returns the declaration of a custom property. Undefined if a browser ignores it (section 2.1). */
export function registeredBy(said: ReadonlyMap<string, string>): Registered | undefined {
  const syntax = said.get("syntax")?.replace(/^["']|["']$/g, "");
  const inherits = said.get("inherits");
  const initial = said.get("initial-value");
  if (syntax === undefined || !/^(?:true|false)$/.test(inherits ?? "")) return undefined;
  if (initial === undefined && syntax.trim() !== "*") return undefined;
  return { syntax, inherits: inherits === "true", initial };
}

const isNumber = (value: string): boolean => /^[+-]?[\d.]+$/.test(value);
const isCalculated = (value: string): boolean => /^[\w-]+\(/.test(value);

/** The types of values that are checked. */
const types = wordTable<(value: string) => boolean>({
  "<length>": (value) => value === "0" || (!isNumber(value) && !Number.isNaN(lengthOf(value))),
  "<length-percentage>": (value) =>
    value === "0" || (!isNumber(value) && !Number.isNaN(lengthOf(value))),
  "<percentage>": (value) => /^[+-]?[\d.]+%$/.test(value),
  "<number>": isNumber,
  "<integer>": (value) => /^[+-]?\d+$/.test(value),
  "<color>": (value) => value === "currentcolor" || colourOf(value) !== undefined,
});

/** Returns whether a value has the type of its property. A value that is not yet calculated fits every type. */
export function fits(value: string, rule: Registered | undefined): boolean {
  if (rule === undefined || rule.syntax.trim() === "*") return true;
  const given = value.trim();
  if (isCalculated(given) || given.includes("var(")) return true;
  return rule.syntax.split("|").some((one) => {
    const type = one.trim();
    return type.startsWith("<") ? (types[type]?.(given) ?? true) : type === given;
  });
}
