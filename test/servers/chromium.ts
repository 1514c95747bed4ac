import { type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { onTestFinished } from "vitest";
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

/**
 * Opens a page in a real browser without stored state, for the running test. `errors` are the messages of its console.
 */
export async function openChromium(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await chromium.launchPersistentContext(temporaryDirectory(), {
    executablePath: pathOf("chromium") ?? "chromium",
    headless: true,
    args: quiet,
    ...options,
  });
  onTestFinished(() => context.close());
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { page, errors };
}
