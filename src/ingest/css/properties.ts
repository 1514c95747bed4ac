import { wordTable } from "../../core/shared/text/word-table.ts";
import { animationParts } from "./animation.ts";
import { expanded, fontSizeWords, isColour, type Longhand } from "./shorthands.ts";
import { isUndecidable, lengthOf, shareOf } from "./values.ts";

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
const isAnything = (): boolean => true;

/** The properties that can hide text, with their valid values. A browser drops an invalid declaration. */
const valid = wordTable<(value: string) => boolean>({
  display: (value) => displays.test(value),
  visibility: (value) => /^(?:visible|hidden|collapse)$/.test(value),
  "content-visibility": (value) => /^(?:visible|hidden|auto)$/.test(value),
  opacity: (value) => !Number.isNaN(shareOf(value)),
  position: (value) => /^(?:static|relative|absolute|fixed|sticky|-webkit-sticky)$/.test(value),
  float: (value) => /^(?:none|left|right|inline-(?:start|end))$/.test(value),
  "font-size": (value) =>
    fontSizeWords.test(value) || (!Number.isNaN(lengthOf(value)) && !isBareNumber(value)),
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

/** Expands a declaration of these properties, with shorthands split into longhands. */
export function longhands({ name, value }: Declaration): Longhand[] {
  if (name.startsWith("--")) return [[name, value]];
  const parts: Longhand[] =
    name === "all"
      ? Object.keys(valid).map((each) => [each, value])
      : expanded(aliases[name] ?? name, value);
  return parts.filter(
    ([part, given]) =>
      valid[part] !== undefined &&
      (/^(?:inherit|initial|unset|revert|revert-layer)$/.test(given) ||
        valid[part](given) ||
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
