import { partsOf } from "./values.ts";

/** Limit on animations of one element. Real elements have one or two. */
export const mostAnimations = 20;

/** Parses a time such as `200ms`. Returns seconds, or undefined for any other text. */
export function secondsOf(value: string): number | undefined {
  const [, number, unit] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(m?s)$/.exec(value) ?? [];
  return number === undefined ? undefined : Number(number) / (unit === "ms" ? 1_000 : 1);
}

const words: readonly (readonly [string, RegExp])[] = [
  ["fill-mode", /^(?:none|forwards|backwards|both)$/],
  ["play-state", /^(?:running|paused)$/],
  ["iteration-count", /^(?:infinite|[\d.]+)$/],
  ["direction", /^(?:normal|reverse|alternate|alternate-reverse)$/],
  ["", /^(?:linear|ease|ease-in|ease-out|ease-in-out|step-start|step-end|[\w-]+\(.*\))$/],
];

/** The properties of an animation that matter, without their prefix. */
export const animationParts = [
  "name",
  "duration",
  "delay",
  "iteration-count",
  "fill-mode",
  "direction",
  "play-state",
];

/** Expands the shorthand `animation` (CSS Animations 1, section 4.9). */
export function animationLonghands(value: string): [string, string][] {
  const lists = new Map<string, string[]>(animationParts.map((name) => [name, []]));
  for (const one of value.slice(0, 500).split(/,(?![^()]*\))/, mostAnimations)) {
    const said = new Map<string, string>();
    for (const part of partsOf(one.trim())) {
      const time =
        secondsOf(part) === undefined ? undefined : said.has("duration") ? "delay" : "duration";
      const kind = time ?? words.find(([name, form]) => form.test(part) && !said.has(name))?.[0];
      said.set(kind ?? "name", part);
    }
    for (const [name, list] of lists) list.push(said.get(name) ?? "");
  }
  return [...lists].map(([name, list]) => [`animation-${name}`, list.join(",")]);
}
