import { animationLonghands, animationParts } from "./animation.ts";
import { colourOf, isUndecidable, lengthOf, partsOf, shareOf } from "./values.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

/** One declaration: name and value in lower case, without comments and escapes. */
export interface Declaration {
  name: string;
  value: string;
  isImportant: boolean;
}

const displays =
  /^(?:none|contents|block|inline|flow-root|list-item|run-in|math|(?:inline-)?(?:block|flex|grid|table)|table-[a-z-]+|ruby[a-z-]*|-webkit-(?:inline-)?(?:box|flex)|-ms-[a-z-]+|(?:block|inline) [a-z -]+)$/;
const overflows =
  /^(?:visible|hidden|clip|scroll|auto|overlay)(?: (?:visible|hidden|clip|scroll|auto))?$/;
const isLength = (value: string): boolean =>
  /^(?:auto|none|normal|(?:min|max|fit)-content|fit-content\(.*\)|-webkit-fill-available)$/.test(
    value,
  ) ||
  (!Number.isNaN(lengthOf(value)) && !isBareNumber(value));
/** Only old browsers read a length without a unit. */
const isBareNumber = (value: string): boolean => /^[+-]?[\d.]+$/.test(value) && Number(value) !== 0;
const isColour = (value: string): boolean =>
  value === "currentcolor" || colourOf(value) !== undefined;
const isAnything = (): boolean => true;
const sizes =
  /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|math)$/;

/** The properties that can hide text, with their valid values. A browser drops an invalid declaration. */
const valid = wordTable<(value: string) => boolean>({
  display: (value) => displays.test(value),
  visibility: (value) => /^(?:visible|hidden|collapse)$/.test(value),
  "content-visibility": (value) => /^(?:visible|hidden|auto)$/.test(value),
  opacity: (value) => !Number.isNaN(shareOf(value)),
  position: (value) => /^(?:static|relative|absolute|fixed|sticky|-webkit-sticky)$/.test(value),
  float: (value) => /^(?:none|left|right|inline-(?:start|end))$/.test(value),
  "font-size": (value) =>
    sizes.test(value) || (!Number.isNaN(lengthOf(value)) && !isBareNumber(value)),
  color: isColour,
  "-webkit-text-fill-color": isColour,
  "background-color": isColour,
  "overflow-x": (value) => overflows.test(value),
  "overflow-y": (value) => overflows.test(value),
  "white-space": isAnything,
  "vertical-align": (value) =>
    isLength(value) ||
    /^(?:baseline|sub|super|top|text-top|middle|bottom|text-bottom)$/.test(value),
  ...Object.fromEntries(
    "width height max-width max-height column-width left top right bottom margin-left margin-top margin-bottom padding-bottom padding-top row-gap column-gap border-spacing border-top-width min-width min-height padding-left padding-top text-indent letter-spacing word-spacing flex-basis margin-right padding-right perspective text-decoration-thickness"
      .split(" ")
      .map((name) => [name, isLength]),
  ),
  ...Object.fromEntries(
    "fill fill-opacity stroke stroke-width grid-template-rows grid-template-columns grid-auto-rows grid-auto-columns grid-area grid-row grid-column grid-row-start grid-column-start caption-side break-before column-count box-shadow outline-width outline-offset aspect-ratio line-height zoom font-size-adjust text-align direction writing-mode flex-direction -webkit-box-orient order align-items align-content align-self justify-items justify-content content color-scheme text-security text-decoration-line transform-origin transform-style mask-repeat mask-mode mask-composite mask-border-source backdrop-filter background-image background-clip text-shadow -webkit-text-stroke-width transform translate scale rotate clip clip-path filter mask-image mask-size mso-hide mix-blend-mode contain container-type contain-intrinsic-size backface-visibility offset-path offset-distance tab-size z-index flex-grow flex-shrink flex-wrap box-sizing grid-auto-flow table-layout clear -webkit-line-clamp"
      .split(" ")
      .map((name) => [name, isAnything]),
  ),
  ...Object.fromEntries(animationParts.map((part) => [`animation-${part}`, isAnything])),
});

const sides = ["top", "right", "bottom", "left"];

/** Expands a declaration of these properties, with shorthands split into longhands. */
export function longhands({ name, value }: Declaration): [name: string, value: string][] {
  if (name.startsWith("--")) return [[name, value]];
  const said = expanded(aliases[name] ?? name, value);
  return said.filter(
    ([one, given]) =>
      valid[one] !== undefined &&
      (/^(?:inherit|initial|unset|revert|revert-layer)$/.test(given) ||
        valid[one](given) ||
        isUndecidable(given)),
  );
}

/** Returns whether a browser accepts a declaration, for the properties that matter here. */
export function isValid({ name, value }: { name: string; value: string }): boolean {
  const isOurs = [name, aliases[name] ?? ""].some((one) => valid[one] !== undefined);
  return !isOurs || longhands({ name, value, isImportant: false }).length > 0;
}

const aliases = wordTable<string>({
  "-webkit-opacity": "opacity",
  "-webkit-transform": "transform",
  "-ms-transform": "transform",
  "-webkit-filter": "filter",
  "-webkit-clip-path": "clip-path",
  "-webkit-mask": "mask",
  "line-clamp": "-webkit-line-clamp",
  "-webkit-mask-image": "mask-image",
  "-webkit-mask-repeat": "mask-repeat",
  "-webkit-mask-composite": "mask-composite",
  "-webkit-mask-box-image": "mask-border-source",
  "mask-border": "mask-border-source",
  "-webkit-text-security": "text-security",
  "-webkit-transform-origin": "transform-origin",
  "-webkit-backdrop-filter": "backdrop-filter",
  "-webkit-writing-mode": "writing-mode",
  "margin-inline-end": "margin-right",
  "-webkit-background-clip": "background-clip",
  "inline-size": "width",
  "block-size": "height",
  "max-inline-size": "max-width",
  "max-block-size": "max-height",
  "overflow-inline": "overflow-x",
  "overflow-block": "overflow-y",
  "grid-gap": "gap",
  "-webkit-columns": "columns",
  "-webkit-column-count": "column-count",
  "-webkit-column-width": "column-width",
  "-webkit-column-break-before": "break-before",
  "grid-row-gap": "row-gap",
  "grid-column-gap": "column-gap",
  "text-wrap-mode": "text-wrap",
  "inset-inline-start": "left",
  "inset-inline-end": "right",
  "inset-block-start": "top",
  "inset-block-end": "bottom",
  "margin-inline-start": "margin-left",
  "margin-block-start": "margin-top",
  "min-inline-size": "min-width",
  "min-block-size": "min-height",
  "padding-inline-start": "padding-left",
  "padding-block-start": "padding-top",
  "-webkit-mask-size": "mask-size",
  "-webkit-backface-visibility": "backface-visibility",
  "-webkit-animation": "animation",
  "-webkit-align-items": "align-items",
  "-webkit-align-content": "align-content",
  "-webkit-align-self": "align-self",
  "-webkit-justify-content": "justify-content",
  "-webkit-box-align": "align-items",
  "-webkit-box-pack": "justify-content",
  ...Object.fromEntries(
    animationParts.map((part) => [`-webkit-animation-${part}`, `animation-${part}`]),
  ),
  offset: "offset-path",
  "-webkit-text-stroke": "-webkit-text-stroke-width",
});

function expanded(name: string, value: string): [string, string][] {
  const parts = partsOf(value);
  const [first = "", second = first] = parts;
  switch (name) {
    case "font": {
      const [, size = "", line] =
        parts
          .flatMap((part, index) =>
            parts[index + 1]?.startsWith("/")
              ? `${part}${parts[index + 1]}${parts[index + 1] === "/" ? (parts[index + 2] ?? "") : ""}`
              : part,
          )
          .map((part) => /^([^/]+)(?:\/(.*))?$/.exec(part))
          .find((match) => match !== null && isFontSize(match[1] ?? "")) ?? [];
      return [
        ["font-size", size === "" && parts.length === 1 ? value : size],
        ["line-height", line ?? "normal"],
      ];
    }
    case "flex":
      return flexLonghands(value, parts);
    case "text-decoration":
      return [
        ["text-decoration-line", value],
        ["text-decoration-thickness", parts.find((part) => lengthOf(part) >= 0) ?? "auto"],
      ];
    case "outline":
      return [["outline-width", parts.find((part) => lengthOf(part) >= 0) ?? "0"]];
    case "columns":
      return parts.map((part) => [/^\d+$/.test(part) ? "column-count" : "column-width", part]);
    case "grid":
    case "grid-template":
      return [
        ["grid-template-rows", value.split("/")[0]?.trim() ?? ""],
        ["grid-template-columns", value.split("/")[1]?.trim() ?? ""],
      ];
    case "mask":
      return [
        ["mask-image", value],
        ["mask-size", /\/\s*([^,]*?)(?: (?:no-)?repeat.*)?$/.exec(value)?.[1] ?? "auto"],
      ];
    case "border":
    case "border-top":
      return [["border-top-width", parts.find((part) => lengthOf(part) >= 0) ?? "0"]];
    case "overflow":
      return [
        ["overflow-x", first],
        ["overflow-y", second],
      ];
    case "inset":
      return sides.map((side, index) => [side, parts[index] ?? parts[index % 2] ?? first]);
    case "inset-inline":
      return [
        ["left", first],
        ["right", second],
      ];
    case "inset-block":
      return [
        ["top", first],
        ["bottom", second],
      ];
    case "margin":
      return [
        ["margin-top", first],
        ["margin-right", second],
        ["margin-left", parts[3] ?? second],
        ["margin-bottom", parts[2] ?? first],
      ];
    case "padding":
      return [
        ["padding-top", first],
        ["padding-left", parts[3] ?? second],
        ["padding-bottom", parts[2] ?? first],
      ];
    case "animation":
      return animationLonghands(value);
    case "margin-inline":
      return [
        ["margin-left", first],
        ["margin-right", second],
      ];
    case "margin-block":
      return [
        ["margin-top", first],
        ["margin-bottom", second],
      ];
    case "padding-block":
      return [
        ["padding-top", first],
        ["padding-bottom", second],
      ];
    case "padding-inline":
      return [["padding-left", first]];
    case "place-content":
    case "place-items": {
      const what = name.slice("place-".length);
      return [
        [`align-${what}`, first],
        [`justify-${what}`, second],
      ];
    }
    case "place-self":
      return [["align-self", first]];
    case "gap":
      return [
        ["row-gap", first],
        ["column-gap", second],
      ];
    case "flex-flow":
      return [
        ["flex-direction", parts.find((part) => /^(?:row|column)/.test(part)) ?? "row"],
        ["flex-wrap", parts.find((part) => part.includes("wrap")) ?? "nowrap"],
      ];
    case "text-wrap":
      return [["white-space", parts.includes("nowrap") ? "nowrap" : "normal"]];
    case "white-space-collapse":
      return value === "collapse"
        ? []
        : [["white-space", value.startsWith("preserve") ? "pre-wrap" : value]];
    case "background":
      return [
        [
          "background-color",
          parts.find(isColour) ??
            (parts.length === 1 && /^(?:inherit|initial|unset|revert)$/.test(value)
              ? value
              : "transparent"),
        ],
        ["background-image", value],
        ["background-clip", parts.includes("text") ? "text" : "border-box"],
      ];
    case "all":
      return Object.keys(valid)
        .filter((one) => !one.startsWith("--"))
        .map((one) => [one, value]);
    default:
      return [[name, value]];
  }
}

/** Expands the shorthand `flex` (CSS Flexbox 1, section 7.1.1). */
function flexLonghands(value: string, parts: readonly string[]): [string, string][] {
  if (value === "none")
    return [
      ["flex-grow", "0"],
      ["flex-shrink", "0"],
    ];
  const numbers = parts.filter((part) => /^[\d.]+$/.test(part));
  const basis = parts.find((part) => !numbers.includes(part)) ?? numbers[2];
  return [
    ["flex-grow", numbers[0] ?? "1"],
    ["flex-shrink", numbers[1] ?? "1"],
    ["flex-basis", basis ?? (numbers.length > 0 ? "0" : "auto")],
  ];
}

/** Returns whether a value is a font size. A weight is a number too, and precedes the size. */
function isFontSize(value: string): boolean {
  return sizes.test(value) || (!/^[1-9]\d*$/.test(value) && !Number.isNaN(lengthOf(value)));
}
