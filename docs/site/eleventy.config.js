import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { searchEntries } from "./search-entries.js";
import { anchorsAndLinks } from "./markdown.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const miniSearch = fileURLToPath(import.meta.resolve("minisearch"));

/** The pages outside `docs/` that its pages refer to, with their names in the navigation. */
const projectPages = {
  "README.md": "Start",
  "CHANGELOG.md": "Changes",
  "CONTRIBUTING.md": "Contributing",
  "SECURITY.md": "Report a vulnerability",
  "CODE_OF_CONDUCT.md": "Code of conduct",
  "AGENTS.md": "Working on the code",
};

/** Returns the path of a page in the site: the folders stay as they are, and a README is the folder's index. */
const sitePath = (path) => path.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html");

/** Reads the sections of the navigation and their pages from the lists of docs/README.md. */
function readSections() {
  const contents = readFileSync(join(root, "docs/README.md"), "utf8");
  const sections = contents.split(/^## /m).slice(1);
  const listed = sections.map((section) => ({
    title: section.slice(0, section.indexOf("\n")),
    pages: [...section.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)].map(([, title, path]) => ({
      title,
      path: sitePath(posix.join("docs", path)),
    })),
  }));
  const [start, ...others] = Object.entries(projectPages).map(([path, title]) => ({
    title,
    path: sitePath(path),
  }));
  const contentsPage = { title: "Contents", path: "docs/index.html" };
  return [
    { title: "Countersign", pages: [start, contentsPage] },
    ...listed,
    { title: "Project", pages: others },
  ];
}

/** Returns the address of a file of the site as a link from a page, which may be in a folder. */
const linkFrom = (page, path) => posix.relative(posix.dirname(page), path);

/** `npm run docs:site`: configures Eleventy, which builds the pages into `site/`. */
export default function configure(eleventy) {
  for (const entry of readdirSync(root, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== "docs") eleventy.ignores.add(`${entry.name}/**`);
  eleventy.ignores.add("docs/site/**");
  eleventy.amendLibrary("md", (markdown) => anchorsAndLinks(markdown));
  eleventy.setLiquidOptions({ outputEscape: "escape" });
  eleventy.setQuietMode(true);

  eleventy.addPassthroughCopy("docs/pictures");
  eleventy.addPassthroughCopy({
    LICENSE: "LICENSE.txt",
    "docs/site/site.css": "site.css",
    "docs/site/site.js": "site.js",
    [relative(root, join(miniSearch, "../../umd/index.js"))]: "minisearch.js",
  });

  eleventy.addGlobalData("layout", "layout.liquid");
  eleventy.addGlobalData(
    "permalink",
    () =>
      ({ page }) =>
        sitePath(page.inputPath.slice(2)),
  );
  eleventy.addGlobalData("sections", readSections);
  eleventy.addFilter("fromPage", (path, { inputPath }) =>
    linkFrom(sitePath(inputPath.slice(2)), path),
  );
  eleventy.addFilter("isPage", (path, { inputPath }) => path === sitePath(inputPath.slice(2)));
  eleventy.addFilter("neighbour", (sections, { inputPath }, step) => {
    const pages = sections.flatMap((section) => section.pages);
    const index = pages.findIndex(({ path }) => path === sitePath(inputPath.slice(2)));
    return pages[index + step];
  });
  eleventy.addFilter("pageTitle", (html) => headingsOf(html)[0]?.text);
  eleventy.addFilter("tableOfContents", (html) => {
    const inner = headingsOf(html).filter(({ level }) => level === 2 || level === 3);
    const tooMany = inner.length > 40;
    return inner.filter(({ level }) => level === 2 || !tooMany);
  });

  eleventy.on("eleventy.after", ({ directories, results }) => {
    const entries = results.flatMap(({ outputPath, content }) =>
      searchEntries(posix.relative(directories.output, outputPath), content),
    );
    const file = join(directories.output, "search-index.js");
    mkdirSync(dirname(file), { recursive: true });
    // A script and not JSON: a page that is opened as a file may not fetch, but may load scripts beside it.
    writeFileSync(file, `globalThis.searchEntries = ${JSON.stringify(entries)};\n`);
  });

  return {
    dir: { input: ".", includes: "docs/site", data: "docs/site/data", output: "site" },
    templateFormats: ["md"],
    markdownTemplateEngine: false,
  };
}

/** Finds the headings of a rendered page: level, id, and text as HTML without tags. */
function headingsOf(html) {
  return [...html.matchAll(/<h([1-6]) id="([^"]+)"[^>]*>(.*?)<a class="anchor"/gs)].map(
    ([, level, id, text]) => ({ level: Number(level), id, text: text.replaceAll(/<[^>]+>/g, "") }),
  );
}
