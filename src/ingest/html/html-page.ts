import type { DomNode } from "html-to-text";

/** The elements that a browser creates for every page, even if their tags are missing. */
export interface Page {
  html: DomNode;
  body: DomNode;
  /** The nodes at the top of the text. */
  top: readonly DomNode[];
  /** Returns the parent of an element in a browser's tree. Undefined for `html`. */
  parentOf(element: DomNode): DomNode | undefined;
}

/**
 * Finds the elements of a page that is the content of `wrapper`. Content outside `body` belongs to `body` (HTML,
 * section 13.2.6.4).
 */
export function pageIn(wrapper: DomNode): Page {
  const top = childrenOf(wrapper);
  const named = (nodes: readonly DomNode[], name: string): DomNode | undefined =>
    nodes.find((node) => node.name === name);
  const html = named(top, "html") ?? implied("html", top);
  const body = named(childrenOf(html), "body") ?? named(top, "body") ?? implied("body", top);
  return {
    html,
    body,
    top,
    parentOf: (element) => {
      if (element === html) return undefined;
      if (element === body || element.name === "head") return html;
      const { parent } = element;
      return parent === null || parent === undefined || parent === wrapper || parent === html
        ? body
        : parent;
    },
  };
}

function implied(name: string, top: readonly DomNode[]): DomNode {
  return { type: "tag", name, attribs: {}, children: [...top] };
}

/** Returns the children of a node. A text node has none, although the library's types say so. */
export function childrenOf(node: { children?: DomNode[] }): DomNode[] {
  return node.children ?? [];
}

export function attribute(element: DomNode, name: string): string | undefined {
  // The library's types say `any`.
  const attributes = element.attribs as Readonly<Record<string, unknown>> | undefined;
  const value = attributes?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns whether an element contains letters or digits. */
export function hasWords(element: DomNode): boolean {
  const open: DomNode[] = [element];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "text" && /[\p{L}\p{N}]/u.test(node.data ?? "")) return true;
    for (const child of node.children ?? []) open.push(child);
  }
  return false;
}

/** Removes the URLs of links around a removed text, if they have no other text. */
export function unlink(text: DomNode): void {
  for (let one = text.parent; one !== null && one !== undefined; one = one.parent)
    if (one.name === "a") {
      if (!hasWords(one)) delete (one.attribs as Record<string, string>)["href"];
      return;
    }
}

/** Returns whether a node shows nothing itself. */
export function isBlank({ type, data, name }: DomNode): boolean {
  return (
    name === "br" ||
    name === "wbr" ||
    type === "comment" ||
    (type === "text" && (data ?? "").trim() === "")
  );
}

/** Returns whether a reader cannot open a section, because its title is hidden. */
export function isClosedForGood({
  element,
  kept,
}: {
  element: DomNode;
  kept: readonly DomNode[];
}): boolean {
  if (element.name !== "details" || attribute(element, "open") !== undefined) return false;
  const title = childrenOf(element).find(({ name }) => name === "summary");
  return title !== undefined && !kept.includes(title);
}
