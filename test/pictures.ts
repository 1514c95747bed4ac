import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Browser, chromium } from "playwright-core";
import { pathOf } from "./servers/servers.ts";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The browser of the running product is a command that does nothing: the file it would open is read below. */
const noBrowser = "true";

/** Asks the running product for an approval, and returns the address of the page that it opens for the person. */
async function ask(client: Client, dataDir: string): Promise<string> {
  const call = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
    await client.callTool({ name, arguments: args });
  await call("write_file", { key: "notes/plan.md", content: "# Plan\n\nPaint the boat.\n" });
  await call("write_file", { key: "notes/old-plan.md", content: "# Old plan\n\nSell it.\n" });
  await call("delete_file", { key: "notes/old-plan.md" });
  const redirect = readFileSync(join(dataDir, "approvals.html"), "utf8");
  const address = /url=(http:[^"]+)"/.exec(redirect)?.[1];
  if (address === undefined) throw new Error("The product opened no approval page.");
  return address;
}

const schemes = ["light", "dark"] as const;

const terminalStyle = `
  :root { color-scheme: light dark; }
  body { margin: 0; background: light-dark(#ffffff, #16181b); color: light-dark(#1c1d1f, #ececec); }
  pre { margin: 0; padding: 24px 28px; font: 15px/1.45 ui-monospace, monospace; }
  pre::first-line { font-weight: bold; }`;

/** Runs the demo of the built program, and returns the part of its output in which it asks for an approval. */
function demoAsks(): string {
  const output = execFileSync(process.execPath, [at("bundle/main.js"), "demo"], {
    encoding: "utf8",
  });
  const part = /^5 {2}[\s\S]*?(?=^6 {2})/m.exec(output)?.[0];
  if (part === undefined) throw new Error("The demo has no fifth part.");
  return `$ npm run demo\n\n${part.trimEnd()}`;
}

async function takeTerminal(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 900, height: 400 } });
  await page.setContent(`<style>${terminalStyle}</style><pre></pre>`);
  const text = page.locator("pre");
  const asks = demoAsks();
  await text.evaluate((element, content) => {
    element.textContent = content;
  }, asks);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await text.screenshot({ path: at(`docs/pictures/demo-${colorScheme}.png`) });
  }
}

/**
 * Takes pictures of the approval page and the demo of the built program in light and dark, for docs/pictures (`npm run
 * docs:pictures`).
 */
async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-pictures-"));
  mkdirSync(at("docs/pictures"), { recursive: true });
  const client = new Client({ name: "Assistant", version: "1.0.0" });
  const browser = await chromium.launch({
    executablePath: pathOf("chromium") ?? "chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [at("bundle/main.js"), "serve"],
        env: {
          PATH: process.env["PATH"] ?? "",
          COUNTERSIGN_DATA_DIR: dataDir,
          APPROVAL_OPEN: noBrowser,
          APPROVAL_WAIT_MS: "2000",
          TZ: "UTC",
        },
      }),
    );
    const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
    await page.goto(await ask(client, dataDir));
    await page.getByRole("button", { name: "Approve" }).first().waitFor();
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: at(`docs/pictures/approval-page-${colorScheme}.png`) });
    }
    await takeTerminal(browser);
  } finally {
    await browser.close();
    await client.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await run();
