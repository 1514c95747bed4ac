import type { DomNode } from "html-to-text";
import {
  attribute,
  colour,
  type Declarations,
  declarationsIn,
  hiddenNames,
  hidesAll,
  hidesOwnText,
  showsAgain,
} from "./html-styles.ts";
import { mailLimits } from "./limits.ts";

/** What a reader of one HTML page does not see. Best effort: of style sheets only simple rules are looked at. */
export interface Visibility {
  /** Elements with words in them that were left out. */
  readonly removed: number;
  isHidden(element: DomNode): boolean;
  /** Counts an element that is left out, where it says anything. */
  leaveOut(element: DomNode): void;
}

/** @param html the page that the elements are of */
export function visibilityOf(html: string): Visibility {
  const styles = new Map<string, Declarations>();
  const answers = new Map<DomNode, boolean>();
  const shown = new Map<DomNode, boolean>();
  const hidden = hiddenNames(html);
  // Where style sheets or pictures may colour the ground, nobody knows what colour it has.
  const isOnWhite = !/<style\b|<link\b[^<>]*stylesheet/i.test(html);
  let removed = 0;

  function styleOf(element: DomNode): Declarations {
    const given = attribute(element, "style") ?? "";
    let style = styles.get(given);
    if (style === undefined) {
      style = declarationsIn(given);
      styles.set(given, style);
    }
    return style;
  }

  function isNamed(element: DomNode, hidden: ReadonlySet<string>): boolean {
    if (hidden.size === 0) return false;
    const id = attribute(element, "id");
    const classes = (attribute(element, "class") ?? "").slice(0, 1_000).split(/\s+/);
    return hidden.has(`#${id ?? ""}`) || classes.some((name) => hidden.has(`.${name}`));
  }

  /** Nobody knows what a style sheet does to what is in it, where that has names of its own: then it counts as seen. */
  function isPlainWithin(element: DomNode, depth = 0): boolean {
    return (element.children ?? []).every(
      (child) =>
        child.name === undefined ||
        (depth < 5 &&
          ["class", "id", "style"].every((name) => attribute(child, name) === undefined) &&
          isPlainWithin(child, depth + 1)),
    );
  }

  /** Whether something in it is seen all the same. */
  function isShownWithin(element: DomNode, depth = 0): boolean {
    const known = shown.get(element);
    if (known !== undefined) return known;
    const answer =
      depth < mailLimits.htmlDepth &&
      (element.children ?? []).some(
        (child) =>
          child.name !== undefined &&
          (showsAgain(styleOf(child)) ||
            styleOf(child).has("color") ||
            isShownWithin(child, depth + 1)),
      );
    shown.set(element, answer);
    return answer;
  }

  function groundOf(element: DomNode): string | undefined {
    let at: DomNode | undefined = element;
    for (let depth = 0; at !== undefined && depth < mailLimits.htmlDepth; depth += 1) {
      const style = styleOf(at);
      const named = style.get("background-color") ?? style.get("background");
      const given = named ?? attribute(at, "bgcolor");
      if (attribute(at, "background") !== undefined || style.has("background-image")) return;
      if (given !== undefined && given !== "transparent") return colour(given);
      at = at.parent ?? undefined;
    }
    return isOnWhite ? "ffffff" : undefined;
  }

  function isOfGroundsColour(element: DomNode): boolean {
    const own = styleOf(element).get("color") ?? attribute(element, "color");
    const ink = colour(own);
    return ink !== undefined && ink === groundOf(element);
  }

  function answerFor(element: DomNode): boolean {
    if (attribute(element, "hidden") !== undefined) return true;
    const style = styleOf(element);
    if (hidesAll(style) || isNamed(element, hidden.all)) return true;
    if (isNamed(element, hidden.text) && !showsAgain(style) && !style.has("color"))
      return isPlainWithin(element);
    // Only Outlook hides it; a button that is written twice, once for Outlook, is a link.
    if (style.get("mso-hide") === "all" && element.name !== "a") return true;
    return (hidesOwnText(style) || isOfGroundsColour(element)) && !isShownWithin(element);
  }

  return {
    get removed() {
      return removed;
    },
    isHidden: (element) => {
      const known = answers.get(element);
      if (known !== undefined) return known;
      const answer = answerFor(element);
      answers.set(element, answer);
      return answer;
    },
    leaveOut: (element) => {
      if (hasWords(element)) removed += 1;
    },
  };
}

function hasWords(element: DomNode): boolean {
  const open: DomNode[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "text" && /[\p{L}\p{N}]/u.test(node.data ?? "")) return true;
    for (const child of node.children ?? []) open.push(child);
  }
  return false;
}
