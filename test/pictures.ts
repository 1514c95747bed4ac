import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chromium } from "playwright-core";
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

/** `npm run docs:pictures`: takes the approval page of the built program in light and dark colours, for docs/pictures. */
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
        args: [at("dist/main.js"), "serve"],
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
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: at(`docs/pictures/approval-page-${colorScheme}.png`) });
    }
  } finally {
    await browser.close();
    await client.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await run();
