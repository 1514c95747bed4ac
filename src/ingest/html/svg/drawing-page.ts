import type { DomNode } from "html-to-text";
import type { Declared } from "../../css/variables.ts";
import type { ComputedStyle } from "../html-computed-style.ts";

/** The page around a drawing. */
export interface DrawingPage {
  /** Returns the computed style of an element, with the given declarations. */
  styleIn(
    element: DomNode,
    outer: ComputedStyle,
    change: (declared: Declared) => Declared,
  ): ComputedStyle;
  readonly find: (id: string) => DomNode | undefined;
  /** Returns false if the work for the page's drawings is used up. */
  spend(steps: number): boolean;
}
