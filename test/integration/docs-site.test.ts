import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { openChromium } from "../servers/chromium.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { path: site, remove } = makeDirectory();

afterAll(remove);
beforeAll(() => {
  const eleventy = join(root, "node_modules/@11ty/eleventy/cmd.cjs");
  const config = "--config=docs/site/eleventy.config.js";
  execFileSync(process.execPath, [eleventy, config, `--output=${site}`], { cwd: root });
});

const pagesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".html"),
  );
const read = (path: string): string => readFileSync(join(site, path), "utf8");
const attributesOf = (html: string, names: string): string[] =>
  [...html.matchAll(new RegExp(` (?:${names})="([^"]*)"`, "g"))].map(([, value = ""]) => value);

/** Finds the links of a page that lead to no file of the site, or to no element of that file. */
function brokenLinks(page: string): string[] {
  return attributesOf(read(page), "href|src|srcset").filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : posix.join(dirname(page), path);
    if (target.startsWith("..") || path.startsWith("/")) return true;
    if (extname(target) === "" || !existsSync(join(site, target))) return true;
    return anchor !== undefined && !attributesOf(read(target), "id").includes(anchor);
  });
}

/** Serves the site below a path, as a host of project pages does. */
async function serveBelow(base: string): Promise<string> {
  const types: Record<string, string> = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(site, pathname.slice(base.length));
    const found = pathname.startsWith(base) && extname(file) !== "" && existsSync(file);
    // The browser requests this automatically, and the site has none.
    const missing = pathname === "/favicon.ico" ? 204 : 404;
    response.writeHead(found ? 200 : missing, { "content-type": types[extname(file)] ?? "" });
    response.end(found ? readFileSync(file) : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}${base}`;
}

async function searchFor(page: Page, words: string): Promise<string[]> {
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.locator("#results a").first().waitFor();
  return await page.locator("#results a strong").allInnerTexts();
}

describe("the site of the documentation", () => {
  it("has a page for every page of the repository's documentation", () => {
    const sources = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md"))
      .map((path) => `docs/${path.replace(/README\.md$/, "index.md").replace(/md$/, "html")}`);
    expect(pagesOf(site)).toEqual(expect.arrayContaining([...sources, "index.html"]));
  });

  it("has no broken link or anchor", () => {
    const broken = pagesOf(site).flatMap((page) =>
      brokenLinks(page).map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("lists every page in its navigation, and leads through all of them in order", () => {
    const listed = new Set(["index.html"]);
    for (let page = "index.html"; ;) {
      const next = /rel="next" href="([^"]+)"/.exec(read(page))?.[1];
      if (next === undefined) break;
      page = posix.join(dirname(page), next);
      expect(listed).not.toContain(page);
      listed.add(page);
    }
    expect([...listed].toSorted()).toEqual(pagesOf(site).toSorted());
  });

  it("loads only its own files, without inline scripts or styles", () => {
    for (const page of pagesOf(site)) {
      const html = read(page);
      expect(html, page).toContain(`content="default-src 'none'; script-src 'self';`);
      expect(html, page).not.toMatch(/<script(?![^>]* src=")|<style| style="| on\w+="/);
      expect(html, page).not.toMatch(
        /<(?:script|link|img|source)[^>]+(?:src|srcset|href)="https?:/,
      );
    }
  });

  it("finds a setting when its pages are opened as files, and opens the result", async () => {
    const { page, errors } = await openChromium();
    await page.goto(pathToFileURL(join(site, "docs/guides/mail.html")).href);
    expect(await searchFor(page, "IMAP_HOST")).toContain("Settings: Mail from an IMAP mailbox");
    await page.getByRole("link", { name: "Settings: Mail from an IMAP mailbox" }).click();
    await page.waitForURL(/docs\/reference\/settings\.html#mail-from-an-imap-mailbox$/);
    expect(errors).toEqual([]);
  });

  it("works below a path, by keyboard and on a phone without scrolling sideways", async () => {
    const base = await serveBelow("/some/where/");
    const { page, errors } = await openChromium({ viewport: { width: 360, height: 740 } });
    for (const path of pagesOf(site)) {
      await page.goto(base + path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, path).toBeLessThanOrEqual(360);
      // The last columns of most tables were outside the screen.
      const cut = await page
        .locator(".scroll")
        .evaluateAll((tables) =>
          tables
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent.slice(0, 60)),
        );
      expect(cut, path).toEqual([]);
    }
    await page.goto(`${base}docs/index.html`);
    const [first] = await searchFor(page, "quarantin");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("#results a:focus strong").innerText()).toBe(first);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href.startsWith(`${base}docs/`) && url.hash !== "");
    expect(errors).toEqual([]);
  });
});
