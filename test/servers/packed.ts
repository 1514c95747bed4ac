import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { docxOf, pdfOf } from "../fixtures/documents.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

/** Packs the package as it would be published, and returns the tarball. */
export async function pack(folder: string): Promise<string> {
  const { stdout } = await run(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
    { cwd: root, maxBuffer: 64 << 20 },
  );
  const [packed] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, packed.filename);
}

/** Installs a tarball in a folder, as a machine with Node alone does, and returns the folder of the packages. */
export async function install(tarball: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...options, tarball], { cwd: folder });
  return join(folder, "node_modules");
}

/** Adds up the bytes of all files below a folder. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

const boundary = "packed";
const attached = (name: string, type: string, bytes: Uint8Array): string[] => [
  `--${boundary}`,
  `Content-Type: ${type}; name="${name}"`,
  "Content-Transfer-Encoding: base64",
  `Content-Disposition: attachment; filename="${name}"`,
  "",
  Buffer.from(bytes).toString("base64"),
];

/**
 * Makes a message that needs every parser: HTML, a character set that Node does not know, a PDF and a Word document.
 */
function message(): string {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  return [
    "From: Ada <ada@example.com>",
    "To: me@example.com",
    "Subject: Report of the harbour",
    "Date: Mon, 02 Nov 2026 09:00:00 +0000",
    "Message-ID: <report@example.com>",
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/html; charset=utf-7",
    "",
    "<p style='color: rgb(10 20 30 / calc(1 - 0.1))'>The gr+APwA-n crane</p>",
    ...attached("lighthouse.pdf", "application/pdf", pdfOf("A lighthouse stands here")),
    ...attached("anchor.docx", word, docxOf("<w:p><w:r><w:t>An anchorage</w:t></w:r></w:p>")),
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

/** Every way in which an installed program differs from a clone: the native driver, the threads, the parsers, the migrations. */
export interface Driven {
  tools: readonly string[];
  /** The result of `read_file` after `write_file`. */
  file: string;
  /** Names of the messages found by a word of the text, of the PDF and of the Word document. */
  found: readonly string[];
}

/**
 * Uses a program with an official client over stdio, in a data directory of its own.
 * @param start the program and what comes before its command
 */
export async function drive(
  start: readonly [command: string, ...args: string[]],
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Driven> {
  const [command, ...args] = start;
  const environment = { PATH: process.env["PATH"] ?? "", COUNTERSIGN_DATA_DIR: dataDir, ...env };
  const mail = join(dataDir, "report.eml");
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(mail, message());
  execFileSync(command, [...args, "import", mail], { env: environment, stdio: "pipe" });
  const client = new Client({ name: "packed-test", version: "1.0.0" });
  const server = { command, args: [...args, "serve"], env: environment, stderr: "pipe" as const };
  await client.connect(new StdioClientTransport(server));
  try {
    const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
      const { content } = await client.callTool({ name, arguments: input });
      return JSON.stringify(content);
    };
    const { tools } = await client.listTools();
    await call("write_file", { key: "notes/first.md", content: "written by the packed program" });
    const file = await call("read_file", { key: "notes/first.md" });
    const found = await Promise.all(
      ["grün", "lighthouse", "anchorage"].map((query) => call("search_emails", { query })),
    );
    return { tools: tools.map(({ name }) => name), file, found };
  } finally {
    await client.close();
  }
}
