import type { Page } from "playwright-core";

/** Returns the lowest contrast of any text with its background (WCAG 2.2, 1.4.3), including transparency. */
export function worstContrast(page: Page): Promise<number> {
  return page.evaluate(() => {
    type Colour = readonly number[];
    const channels = (colour: string): Colour => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const over = (above: Colour, share: number, below: Colour): Colour =>
      below.map((channel, at) => (above[at] ?? 0) * share + channel * (1 - share));
    const luminance = (colour: Colour): number => {
      const [r = 0, g = 0, b = 0] = colour.map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const screen: Colour = isDark ? [18, 18, 18] : [255, 255, 255];
    /** The colour at a node, with a text of this colour on it or without. */
    const painted = (node: Element | null, text?: Colour): Colour => {
      if (node === null) return text ?? screen;
      const style = getComputedStyle(node);
      const below = painted(node.parentElement);
      const own = channels(style.backgroundColor);
      const ground = over(own, own[3] ?? 1, below);
      return over(text ?? ground, Number(style.opacity), below);
    };
    const faded = (node: Element | null, text: Colour): Colour =>
      node === null ? text : faded(node.parentElement, painted(node, text));
    const ratios = Array.from(document.querySelectorAll("body *"))
      .filter((node) => node.getBoundingClientRect().width > 1)
      .filter((node) =>
        Array.from(node.childNodes).some(
          (child) => child.nodeType === 3 && child.nodeValue?.trim(),
        ),
      )
      .map((node) => {
        const text = faded(node, channels(getComputedStyle(node).color).slice(0, 3));
        const [light = 0, dark = 0] = [text, painted(node)]
          .map(luminance)
          .toSorted((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
      });
    return Math.min(...ratios);
  });
}
