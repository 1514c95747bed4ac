import { type Browser, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
import { onFileFinished } from "../fakes/file-finished.ts";
import { pathOf } from "./servers.ts";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let running: Promise<Browser> | undefined;

/** Starts a browser for the running file, because a start takes as long as several pages. */
function browser(): Promise<Browser> {
  running ??= start();
  return running;
}

async function start(): Promise<Browser> {
  onFileFinished(async () => {
    const ended = running;
    running = undefined;
    await (await ended)?.close();
  });
  return await chromium.launch({
    executablePath: pathOf("chromium") ?? "chromium",
    headless: true,
    args: quiet,
  });
}

/**
 * Opens a page in a real browser without stored state, for the running test. `errors` are the messages of its console.
 */
export async function openChromium(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await (await browser()).newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { page, errors };
}
