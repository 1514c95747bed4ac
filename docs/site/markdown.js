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

/**
 * Marks the elements of a table with their roles and its cells with the heading of their column. On a phone each row
 * becomes a list of cells, and browsers do not count such elements as a table without the roles.
 */
function markTables({ tokens }) {
  let headings = [];
  let column = 0;
  const roles = { table_open: "table", tr_open: "row", th_open: "columnheader", td_open: "cell" };
  for (const [index, token] of tokens.entries()) {
    const role = roles[token.type];
    if (role !== undefined) token.attrSet("role", role);
    if (token.type === "table_open") headings = [];
    else if (token.type === "tr_open") column = 0;
    else if (token.type === "th_open") headings.push(textOf(tokens[index + 1]));
    else if (token.type === "td_open") {
      token.attrSet("data-heading", headings[column] ?? "");
      column += 1;
    }
  }
}

/** Returns the text of an inline token without its markup. */
const textOf = ({ children }) => (children ?? []).map(({ content }) => content).join("");

/** Adds an anchor to every heading, rewrites links between pages, and prepares tables for small screens. */
export function anchorsAndLinks(markdown) {
  const { rules } = markdown.renderer;
  const plain = (tokens, index, options, _env, self) => self.renderToken(tokens, index, options);

  markdown.core.ruler.push("anchors", ({ tokens }) => {
    for (const [index, token] of tokens.entries())
      if (token.type === "heading_open") token.attrSet("id", anchorOf(textOf(tokens[index + 1])));
  });
  markdown.core.ruler.push("tables", markTables);
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

  rules.table_open = (...given) => `<div class="scroll" tabindex="0">${plain(...given)}\n`;
  rules.table_close = () => `</table></div>\n`;
}
