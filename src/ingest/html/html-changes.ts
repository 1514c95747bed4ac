import type { DomNode } from "html-to-text";
import { type Extent, hasLostWords, isCut } from "./flow/centred.ts";
import { childrenOf, hasWords, unlink } from "./html-page.ts";
import { writeDrawing } from "./svg/drawings.ts";

/** The content of an element that stays. */
export interface KeptContent {
  element: DomNode;
  kept: DomNode[];
}

/**
 * The changes of a page that leave out its invisible content. They are applied after all elements were judged, because
 * selectors depend on neighbours.
 */
export interface PageChanges {
  /** Counts a removed passage that contains words. */
  countPassage(): void;
  /** Keeps only these characters of a text, of those that other boxes keep. */
  cut(node: DomNode, extent: Extent): void;
  /** Cuts the texts of a centred box, whose place was not known before. Counts one passage. */
  cutCentred(found: ReadonlyMap<DomNode, Extent>): void;
  /** Removes texts that a later box covers. Counts one passage. */
  cover(nodes: readonly DomNode[]): void;
  /** Leaves out the alternative text of a picture. */
  silence(picture: DomNode): void;
  /** Starts a new line for a part of a line that is drawn as a block. */
  makeBlock(part: DomNode): void;
  /** Keeps only these texts of an inline drawing, of those that were kept before. */
  keepInDrawing(svg: DomNode, shown: readonly DomNode[]): void;
  /** Returns the number of passages since the last call. */
  takeCount(): number;
  /** Applies the changes, and those of elements: what two layouts keep, if there is a second one. */
  apply(elements: readonly KeptContent[], ofOtherLayout: readonly KeptContent[]): void;
}

export function createPageChanges(): PageChanges {
  let passages = 0;
  const silent = new Set<DomNode>();
  const blocks = new Set<DomNode>();
  const cuts = new Map<DomNode, Extent>();
  const drawn = new Map<DomNode, readonly DomNode[]>();

  const countPassage = (): void => void (passages += 1);

  function cut(node: DomNode, { from, to }: Extent): void {
    const known = cuts.get(node) ?? { from, to };
    cuts.set(node, { from: Math.max(from, known.from), to: Math.min(to, known.to) });
  }

  return {
    countPassage,
    cut,
    cutCentred: (found) => {
      const parts = [...found].filter(([node, extent]) => isCut(node, extent));
      for (const [node, extent] of parts) cut(node, extent);
      if (parts.some(([node, extent]) => hasLostWords(node, extent))) countPassage();
    },
    cover: (nodes) => {
      if (nodes.some((node) => cuts.get(node)?.to !== 0 && hasWords(node))) countPassage();
      for (const node of nodes) cuts.set(node, { from: 0, to: 0 });
    },
    silence: (picture) => void silent.add(picture),
    makeBlock: (part) => void blocks.add(part),
    keepInDrawing: (svg, shown) => {
      const known = drawn.get(svg) ?? shown;
      drawn.set(
        svg,
        known.filter((node) => shown.includes(node)),
      );
    },
    takeCount: () => {
      const taken = passages;
      passages = 0;
      return taken;
    },
    apply: (elements, ofOtherLayout) => {
      for (const [node, { from, to }] of cuts) node.data = node.data?.slice(from, to) ?? "";
      for (const [node] of cuts) if (node.data === "") unlink(node);
      for (const [svg, texts] of drawn) writeDrawing(svg, texts);
      for (const part of blocks) part.name = "div";
      for (const picture of silent) (picture.attribs as Record<string, string>)["alt"] = "";
      for (const { element, kept } of elements) element.children = kept;
      for (const { element, kept } of ofOtherLayout) {
        const both = new Set(kept);
        element.children = childrenOf(element).filter((child) => both.has(child));
      }
    },
  };
}
