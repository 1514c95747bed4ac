import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = [
  ...readdirSync(root),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith("."))
    .map((path) => join("docs", path)),
].filter((path) => path.endsWith(".md"));

/** Reads a page without its code, in which nothing is a link or a heading. */
function read(path: string): string {
  return readFileSync(join(root, path), "utf8").replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
}

/** Returns the anchors of a page's headings, as GitHub and the site make them of the headings that we write. */
function anchorsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(page: string): string[] {
  return [...read(page).matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)"\s]+)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/i.test(link))
    .filter((link) => {
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? page : relative(root, join(root, dirname(page), file));
      if (target.startsWith("..") || !existsSync(join(root, target))) return true;
      return (
        anchor !== undefined &&
        (!statSync(join(root, target)).isFile() || !anchorsOf(target).includes(anchor))
      );
    });
}

describe("the pages of the repository", () => {
  it("are all found", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "AGENTS.md", "docs/security.md"]));
  });

  it.each(pages)("%s has no broken link or anchor", (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(pages)("%s has no two headings with the same anchor", (page) => {
    const anchors = anchorsOf(page);
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
  });

  it("are all listed in the contents of docs/", () => {
    const contents = read("docs/README.md");
    const unlisted = pages
      .filter((page) => page.startsWith("docs/") && page !== "docs/README.md")
      .filter((page) => !contents.includes(`](${page.slice("docs/".length)})`));
    expect(unlisted).toEqual([]);
  });

  it("name only files and folders that exist, in the architecture", () => {
    const inCore = ["core/call", "core/policy"];
    const named = [...read("docs/architecture.md").matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)*)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => /\/|\.ts$/.test(path));
    const missing = named.filter(
      (path) =>
        !["", "src", ...inCore.map((room) => `src/${room}`)].some((folder) =>
          existsSync(join(root, folder, path)),
        ),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  // Half of the folders below the second level were missing.
  it("name each folder of the source, in the architecture", () => {
    const named = [...read("docs/architecture.md").matchAll(/`([a-z][\w/-]*)`/g)].flatMap(
      ([, path = ""]) => path.split("/"),
    );
    const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => !named.includes(name))).toEqual([]);
  });

  it("names only declarations that exist, in the glossary", () => {
    const glossary = read("docs/glossary.md");
    const table = glossary.slice(glossary.indexOf("\n## Names in the code\n"));
    const source = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => readFileSync(join(root, "src", path), "utf8"))
      .join("\n");
    const names = [...table.matchAll(/`([A-Z]\w+)`/g)].map(([, name = ""]) => name);
    const declared = new Set(
      [...source.matchAll(/\bexport (?:interface|type|class) (\w+)/g)].map(([, name]) => name),
    );
    const missing = names.filter((name) => !declared.has(name));
    expect(names.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});
