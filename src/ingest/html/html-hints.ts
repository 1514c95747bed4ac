import type { DomNode } from "html-to-text";
import { attributeColour } from "../css/values.ts";
import { attribute, childrenOf, type Page } from "./html-page.ts";

/** Elements that no browser shows: the brackets of ruby readings, and invisible parts of formulas. */
const unseen = new Set(["rp", "mphantom", "annotation", "annotation-xml"]);
/** Elements whose content is a fallback for programs that do not support them. */
const replaced = new Set(["audio", "video", "canvas", "progress", "meter"]);

/** The attributes of formulas with the meaning of a property (MathML Core, section 2.1.6). */
const formulaHints = [
  ["mathsize", "font-size"],
  ["mathcolor", "color"],
  ["mathbackground", "background-color"],
] as const;

/** Returns the declarations that an element's name and attributes stand for, which are weaker than any rule. */
export function attributeHints(element: DomNode, { body }: Page): [string, string][] {
  const hints: [string, string][] = [];
  const { name = "" } = element;
  const has = (one: string): boolean => attribute(element, one) !== undefined;
  const isClosed = (name === "dialog" && !has("open")) || has("popover");
  if (has("hidden") || isClosed || unseen.has(name) || replaced.has(name) || isUnchosen(element))
    hints.push(["display", "none"]);
  if (isUnseenPart(element)) hints.push(["display", "none"]);
  if (childrenOf(element).some(isShadow)) hints.push(["display", "none"]);
  if (attribute(element, "hidden")?.trim().toLowerCase() === "until-found")
    hints.push(["content-visibility", "hidden"]);
  if (name === "marquee") hints.push(["overflow-x", "hidden"], ["overflow-y", "hidden"]);
  if (name === "marquee")
    for (const side of ["width", "height"])
      if (has(side)) hints.push([side, attributeLength(attribute(element, side) ?? "")]);
  if (has("dir")) hints.push(["direction", attribute(element, "dir")?.trim().toLowerCase() ?? ""]);
  const align = attribute(element, "align")?.trim().toLowerCase() ?? "";
  if (/^(?:left|right|center)$/.test(align) && name !== "table") hints.push(["text-align", align]);
  if (name === "hr") {
    const [size, colour] = [attribute(element, "size"), attribute(element, "color")];
    if (size !== undefined) hints.push(["height", attributeLength(size)]);
    if (colour !== undefined) hints.push(["background-color", attributeColour(colour)]);
  }
  // A field has the size of its style, and its text is clipped.
  if (name === "textarea" || name === "select")
    hints.push(["overflow-x", "auto"], ["overflow-y", "auto"]);
  if (name === "pre") hints.push(["white-space", "pre"]);
  for (const [given, property] of formulaHints)
    if (has(given)) hints.push([property, attribute(element, given)?.trim().toLowerCase() ?? ""]);
  const ground = attribute(element, "bgcolor");
  if (ground !== undefined) hints.push(["background-color", attributeColour(ground)]);
  if (has("background")) hints.push(["background-image", "url()"]);
  const ink =
    name === "font"
      ? attribute(element, "color")
      : name === "body"
        ? attribute(element, "text")
        : undefined;
  if (ink !== undefined) hints.push(["color", attributeColour(ink)]);
  else if (name === "a" && has("href"))
    hints.push(["color", attributeColour(attribute(body, "link") ?? "#0000ee")]);
  else if (name === "mark") hints.push(["color", "#000000"], ["background-color", "#ffff00"]);
  return hints.filter(([property, value]) => property !== "color" || value !== "");
}

/** Returns whether an element's own content is replaced by that of a template, in browsers that support this. */
function isShadow(child: DomNode): boolean {
  return child.name === "template" && attribute(child, "shadowrootmode") !== undefined;
}

function attributeLength(value: string): string {
  return /^\d+$/.test(value.trim()) ? `${value.trim()}px` : value.trim();
}

/** Returns whether an element is a later alternative in a formula, or is not an option in a list. */
function isUnseenPart({ name = "", parent }: DomNode): boolean {
  if (parent?.name === "select") return !/^(?:option|optgroup|hr)$/.test(name);
  if (parent?.name !== "maction") return false;
  return childrenOf(parent).find((one) => one.name !== undefined)?.name !== name;
}

/**
 * Returns whether the text of an option is not shown: it has a label, or is in a closed list that shows another option.
 */
function isUnchosen(element: DomNode): boolean {
  if (element.name !== "option") return false;
  // The label is shown instead.
  if ((attribute(element, "label") ?? "") !== "") return true;
  if (attribute(element, "selected") !== undefined) return false;
  const { parent } = element;
  if (parent?.name === "optgroup") return true;
  if (parent?.name !== "select") return false;
  if (["multiple", "size"].some((one) => attribute(parent, one) !== undefined)) return false;
  return childrenOf(parent).find(({ name }) => name === "option") !== element;
}
