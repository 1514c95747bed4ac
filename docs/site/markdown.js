/** Returns a heading's anchor, by GitHub's rule, so that one link works in both places. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Rewrites a relative link to a page of the repository into the link of the same page in the site. */
function siteLink(href) {
  if (/^[a-z]+:/i.test(href)) return href;
  return href
    .replace(/(^|\/)README\.md(?=#|$)/, "$1index.html")
    .replace(/\.md(?=#|$)/, ".html")
    .replace(/(^|\/)LICENSE$/, "$1LICENSE.txt");
}

/** Adds an anchor to every heading, rewrites links between pages, and lets wide tables and code scroll by keyboard. */
export function anchorsAndLinks(markdown) {
  const { rules } = markdown.renderer;
  const plain = (tokens, index, options, _env, self) => self.renderToken(tokens, index, options);

  markdown.core.ruler.push("anchors", ({ tokens }) => {
    for (const [index, token] of tokens.entries())
      if (token.type === "heading_open") {
        const texts = tokens[index + 1].children ?? [];
        token.attrSet("id", anchorOf(texts.map(({ content }) => content).join("")));
      }
  });
  rules.heading_close = (tokens, index, ...rest) => {
    const opening = tokens[index - 2];
    const id = opening.attrGet("id");
    const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    return `${opening.tag === "h1" ? anchor.replace(">#<", "><") : anchor}${plain(tokens, index, ...rest)}`;
  };

  rules.link_open = (tokens, index, ...rest) => {
    tokens[index].attrSet("href", siteLink(tokens[index].attrGet("href")));
    return plain(tokens, index, ...rest);
  };

  rules.table_open = () => `<div class="scroll" tabindex="0"><table>\n`;
  rules.table_close = () => `</table></div>\n`;
}
