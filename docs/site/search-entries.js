const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** Returns the words of a piece of rendered HTML. */
const textOf = (html) =>
  html
    .replaceAll(/<a class="anchor".*?<\/a>/g, "")
    .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, "")
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, " ")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity])
    .replaceAll(/\s+/g, " ")
    .trim();

/** Splits a page of the site into its sections: the entries that the search finds. */
export function searchEntries(path, html) {
  const main = html.slice(html.indexOf("<article>"), html.indexOf("</article>"));
  const [, ...sections] = main.split(/(?=<h[1-3] id=")/);
  const found = sections.map((section) => {
    const end = section.search(/<\/h[1-3]>/);
    const [, level, id] = /^<h([1-3]) id="([^"]+)"/.exec(section);
    const heading = textOf(section.slice(0, end));
    return { level, id, heading, text: textOf(section.slice(end)) };
  });
  const page = found[0]?.heading ?? "";
  return found.map(({ level, id, heading, text }) => ({
    id: level === "1" ? path : `${path}#${id}`,
    page,
    heading: level === "1" ? "" : heading,
    text,
  }));
}
