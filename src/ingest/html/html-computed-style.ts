import type { DomNode } from "html-to-text";
import { isBoxGone, isDot, isFlatGrid, isWhole } from "./box/box.ts";
import { type Offset, isMoved, isOutside, offsetOf, outside } from "./box/offset.ts";
import { type Room, isCutting, isRoom, roomIn } from "./box/room.ts";
import {
  blendOf,
  colourFilter,
  fieldGround,
  groundOf,
  isButton,
  isPainted,
  isPaintedOver,
  opacityOf,
  type Paint,
} from "./html-paint.ts";
import { leastOpacity } from "./html-mask.ts";
import { type Colour, colourOf, isDarkOnly, isUndecidable, lengthOf } from "../css/values.ts";
import { fontSizeOf } from "../css/font-size.ts";
import { attribute } from "./html-page.ts";
import { type LayerBox, layerBox } from "./layers/layer-box.ts";
import { type FlowBox, flowBox } from "./flow/flow-box.ts";
import { scaleOf } from "./html-scale.ts";
import { isFacingAway, preserves3d, type Rotation, turnOf } from "./html-turn.ts";
import { type Declared, resolved, type Variables, variablesOf } from "../css/variables.ts";

/** The computed style of an element's text, as far as it determines whether a reader sees the text. */
export interface ComputedStyle extends Paint {
  /** The element and its content are hidden. */
  isGone: boolean;
  /** CSS pixels. */
  fontSize: number;
  /** The font size of the page's root element, for the unit `rem`. */
  rootSize: number;
  /** The factor of `zoom` and `transform`. */
  scale: number;
  /** The rotation of the children's space. Undefined if it is the plane of the page. */
  turn: Rotation | undefined;
  /** The `perspective` of the content, in CSS pixels. NaN if it is not given. */
  perspective: number;
  opacity: number;
  isVisible: boolean;
  /** The element's own `display`. Empty if no rule sets it. */
  display: string;
  ink: Colour;
  /** `-webkit-text-fill-color`, which overrides `color`. */
  fill: Colour | undefined;
  /**
   * The space that is left in the nearest box that clips its content, after the offsets of the elements in it. CSS
   * pixels.
   */
  room: Room;
  /** `text-indent`, in pixels. */
  indent: number;
  letterSpacing: number;
  lineHeight: string;
  whiteSpace: string;
  wordSpacing: number;
  offset: Offset;
  /** The text is painted below the backgrounds around it. */
  isBehind: boolean;
  isTableFixed: boolean;
  isInCut: boolean;
  /** System colours are those of a dark page. */
  isDark: boolean;
  isRightToLeft: boolean;
  align: string;
  /** The box is wider than a window, so text at its right side is out of view. */
  isWide: boolean;
  box: FlowBox | undefined;
  /** How the box is placed and painted over others. */
  layers: LayerBox | undefined;
  /** The element is a grid with rows or columns of size 0. */
  isFlatGrid: boolean;
  variables: Variables | undefined;
}

/** Smaller text is unreadable. CSS pixels. */
export const smallest = 3;

export const pageStyle: ComputedStyle = {
  isGone: false,
  fontSize: 16,
  rootSize: 16,
  scale: 1,
  turn: undefined,
  perspective: NaN,
  opacity: 1,
  isVisible: true,
  display: "",
  ink: [0, 0, 0, 1],
  fill: undefined,
  ground: [255, 255, 255, 1],
  room: { width: Infinity, height: Infinity },
  indent: 0,
  letterSpacing: 0,
  lineHeight: "normal",
  whiteSpace: "normal",
  wordSpacing: 0,
  offset: { right: 0, down: 0 },
  isBehind: false,
  isTableFixed: false,
  isInCut: false,
  isDark: false,
  isRightToLeft: false,
  align: "left",
  isWide: false,
  isCover: false,
  box: undefined,
  layers: undefined,
  isFlatGrid: false,
  isPainted: false,
  filter: undefined,
  blend: undefined,
  variables: undefined,
};

/** The colours of a page that has dark system colours. */
const darkPage: Pick<ComputedStyle, "ink" | "ground"> = {
  ink: [255, 255, 255, 1],
  ground: [18, 18, 18, 1],
};

/** A cache of styles, by that of the parent element. Pages repeat themselves, and hostile pages do so very often. */
const stylesIn = new WeakMap<ComputedStyle, Map<string, ComputedStyle>>();

/**
 * Computes the computed style of an element.
 * @param outer the computed style of the parent element
 */
export function computedStyleOf(
  element: DomNode,
  declared: Declared,
  outer: ComputedStyle,
): ComputedStyle {
  if (declared.size === 0 && !isButton(element)) return plainStyle(outer);
  let signature = `${element.name ?? ""}${ownSize(element)}`;
  for (const [name, value] of declared) signature += `;${name}:${value}`;
  let styles = stylesIn.get(outer);
  if (styles === undefined) stylesIn.set(outer, (styles = new Map<string, ComputedStyle>()));
  let css = styles.get(signature);
  if (css === undefined) styles.set(signature, (css = newStyle(element, declared, outer)));
  return css;
}

/** Returns the attributes that determine the size of a box, besides its declarations. */
function ownSize(element: DomNode): string {
  const height = attribute(element, "height") ?? "";
  const isOwn =
    element.name === "img" && /^\s*(?:data|cid):/i.test(attribute(element, "src") ?? "");
  return `@${height}x${attribute(element, "width") ?? ""}${isOwn ? "!" : ""}`;
}

const plainStyles = new WeakMap<ComputedStyle, ComputedStyle>();

/** Returns the computed style of an element without declarations. */
function plainStyle(outer: ComputedStyle): ComputedStyle {
  const isPlain =
    !outer.isCover &&
    outer.display === "" &&
    outer.box === undefined &&
    outer.layers === undefined &&
    outer.turn === undefined &&
    !outer.isFlatGrid;
  if (isPlain) return outer;
  const known = plainStyles.get(outer) ?? {
    ...outer,
    isCover: false,
    display: "",
    box: undefined,
    layers: undefined,
    turn: undefined,
    isFlatGrid: false,
  };
  plainStyles.set(outer, known);
  return known;
}

/** The values that every property accepts. For properties that are not inherited, they reset the value. */
const wide = /^(?:inherit|initial|unset|revert|revert-layer)$/;
const passedOn = new Set(
  "display font-size color visibility -webkit-text-fill-color text-indent letter-spacing word-spacing line-height white-space".split(
    " ",
  ),
);

function newStyle(element: DomNode, declared: Declared, around: ComputedStyle): ComputedStyle {
  const scheme = declared.get("color-scheme");
  const isDark = scheme === undefined ? around.isDark : isDarkOnly(scheme);
  const outer = isDark && element.name === "html" ? { ...around, ...darkPage } : around;
  const variables = variablesOf(declared, outer.variables);
  const style = resolved(declared, variables, {
    isDark,
    isOwn: variables !== outer.variables,
  });
  for (const [name, value] of style)
    if (!passedOn.has(name) && wide.test(value)) style.delete(name);
  const inherited = (name: string): string | undefined => {
    const value = style.get(name);
    return value === undefined || (value !== "initial" && wide.test(value)) ? undefined : value;
  };
  const fontSize = fontSizeOf(inherited("font-size"), outer);
  const isField = isButton(element);
  const isOwnInk = isField && style.get("color") !== "inherit";
  const ink = inkOf(inherited("color"), isOwnInk ? pageStyle.ink : outer.ink);
  const visibility = inherited("visibility");
  const isShown =
    visibility === undefined ? outer.isVisible : !/^(?:hidden|collapse)$/.test(visibility);
  const fill = inherited("-webkit-text-fill-color");
  const indent = inherited("text-indent");
  const spacing = inherited("letter-spacing");
  const opacity = outer.opacity * opacityOf(style, fontSize);
  const ground = groundOf(style, isField ? fieldGround(element) : outer.ground, ink);
  const words = inherited("word-spacing");
  const whiteSpace = inherited("white-space") ?? outer.whiteSpace;
  const lineHeight = inherited("line-height") ?? outer.lineHeight;
  const letterSpacing =
    spacing === undefined ? outer.letterSpacing : lengthOf(spacing, fontSize) || 0;
  const layer = isMoved(style) ? lengthOf(style.get("z-index")) || 0 : 0;
  const turned = isRightToLeft(style.get("direction"), outer.isRightToLeft);
  const layout = style.get("table-layout");
  const turn = turnOf(style, outer.turn);
  const isOff = isFacingAway(turn, style.get("backface-visibility") === "hidden");
  const css: ComputedStyle = {
    isGone: false,
    fontSize,
    rootSize: element.name === "html" ? fontSize : outer.rootSize,
    scale: outer.scale * scaleOf(style, outer.perspective) * (isOff ? 0 : 1),
    turn: preserves3d(style) ? turn : undefined,
    perspective: lengthOf(style.get("perspective"), fontSize),
    opacity,
    isVisible: isShown,
    display: style.get("display") ?? "",
    ink,
    fill: fill === undefined ? outer.fill : fill === "initial" ? undefined : inkOf(fill, ink),
    ground,
    room: roomIn(style, fontSize, outer.room),
    indent: indent === undefined ? outer.indent : lengthOf(indent, fontSize) || 0,
    letterSpacing,
    wordSpacing: words === undefined ? outer.wordSpacing : lengthOf(words, fontSize) || 0,
    lineHeight,
    whiteSpace,
    offset: offsetOf(style, fontSize, outer.offset),
    isBehind: outer.isBehind || layer < 0,
    isInCut: outer.isInCut || isCutting(style),
    isDark,
    isRightToLeft: turned,
    align: inherited("text-align") ?? outer.align,
    isWide: isWide(style, fontSize, outer.isWide),
    isTableFixed: layout === undefined ? outer.isTableFixed : layout === "fixed",
    layers: layerBox(element, style, fontSize, isShown ? opacity : 0),
    box: flowBox(element, style, {
      fontSize,
      lineHeight,
      whiteSpace,
      letterSpacing,
      isRightToLeft: turned,
      outerHeight: outer.layers?.height ?? NaN,
    }),
    isCover: isWhole(style),
    isFlatGrid: isFlatGrid(style),
    isPainted: isPainted(style, outer, ground),
    filter: colourFilter(style.get("filter"), outer),
    blend: blendOf(style.get("mix-blend-mode"), outer),
    variables,
  };
  css.isGone =
    opacity < leastOpacity ||
    css.scale * 16 < 1 ||
    isOutside(style, fontSize, outer.offset) ||
    isPaintedOver(style, fontSize, ground) ||
    (element.name === "img" && isDot(style)) ||
    lengthOf(style.get("font-size-adjust")) * 2 * fontSize < smallest ||
    [...style].some(([name, value]) => !name.startsWith("--") && isUndecidable(value)) ||
    !isRoom(style, fontSize, outer.room) ||
    isBoxGone(element, style, {
      ...css,
      isInCut: outer.isInCut,
      isInFlatGrid: outer.isFlatGrid,
      isInHeight: (outer.layers?.height ?? NaN) > 0,
    });
  return css;
}

function inkOf(value: string | undefined, outer: Colour): Colour {
  if (value === "initial") return pageStyle.ink;
  return colourOf(value) ?? outer;
}

function isRightToLeft(direction: string | undefined, outer: boolean): boolean {
  return direction === "rtl" || (direction !== "ltr" && outer);
}

function isWide(style: ReadonlyMap<string, string>, em: number, outer: boolean): boolean {
  if (lengthOf(style.get("margin-right"), em) <= outside.back) return true;
  const width = lengthOf(style.get("width"), em);
  return Number.isNaN(width) ? outer : width >= outside.forth;
}
