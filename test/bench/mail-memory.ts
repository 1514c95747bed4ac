import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { smtpSession, startIngest, storesAt } from "../servers/ingest.ts";
import { untilNothingPends } from "./until-nothing-pends.ts";

export interface Memory {
  what: string;
  megabytes: number;
  /** Resident memory of the process, threads and all: before the message came, and the most while it passed. */
  idle: number;
  peak: number;
}

const head = (type: string): string =>
  `From: Ann <ann@example.org>\r\nTo: me@in.example\r\nSubject: large\r\nContent-Type: ${type}\r\n`;
const part = (head_: string, body: string): string => `--b\r\n${head_}\r\n\r\n${body}\r\n`;

function base64(bytes: number): string {
  return randomBytes(bytes).toString("base64").replace(/.{76}/g, "$&\r\n");
}

function lines(bytes: number, before: string, after: string): string {
  const line = `${before}Lorem ipsum dolor sit amet consectetur adipiscing elit${after}\r\n`;
  return line.repeat(Math.floor(bytes / line.length));
}

const withFiles = `${head("multipart/mixed; boundary=b")}\r\n${part("Content-Type: text/plain", "Hello")}${[
  1, 2, 3,
]
  .map((number) =>
    part(
      `Content-Type: application/zip; name=${number}.zip\r\nContent-Transfer-Encoding: base64`,
      base64(6_000_000),
    ),
  )
  .join("")}--b--\r\n`;

/** One of each kind, as large as it may be. */
const messages: Readonly<Record<string, string>> = {
  "three attachments": withFiles,
  "plain text": `${head("text/plain")}\r\n${lines(24_000_000, "", "")}`,
  "one page of HTML": `${head("text/html")}\r\n${lines(24_000_000, "<p>", "</p>")}`,
  "a text beside pages": `${head("multipart/mixed; boundary=b")}\r\n${part("Content-Type: text/plain", lines(8_000_000, "", ""))}${part("Content-Type: text/html", lines(8_000_000, "<p>", "</p>")).repeat(2)}--b--\r\n`,
  "very many parts": `${head("multipart/mixed; boundary=b")}\r\n${part("Content-Type: text/plain", "x ".repeat(250)).repeat(44_000)}--b--\r\n`,
  "a head of 2 MB": `${"X-A: b\r\n".repeat(250_000)}${head("text/plain")}\r\n${lines(20_000_000, "", "")}`,
  "a message in a message": `${head("multipart/mixed; boundary=outer")}\r\n--outer\r\nContent-Type: message/rfc822\r\n\r\n${withFiles}--outer--\r\n`,
};

/** Measures each message in a separate process, because memory that one leaves behind would count for the next. */
export async function measureMemory(directory: string): Promise<Memory[]> {
  const measured: Memory[] = [];
  for (const [what, message] of Object.entries(messages)) {
    const dataDir = join(directory, `memory-${measured.length}`);
    measured.push({ what, megabytes: message.length / 1e6, ...(await passed(dataDir, message)) });
  }
  return measured;
}

async function passed(dataDir: string, message: string): Promise<{ idle: number; peak: number }> {
  const ingest = await startIngest(dataDir);
  const stores = storesAt(dataDir);
  try {
    const of = (name: "VmRSS" | "VmHWM") => statusOf(ingest.process.pid ?? 0, name);
    const session = await smtpSession(ingest.port);
    const idle = of("VmRSS");
    const reply = await session.send(Buffer.from(message, "latin1"));
    if (!reply.startsWith("250")) throw new Error(reply);
    session.close();
    await untilNothingPends(stores);
    return { idle, peak: of("VmHWM") };
  } finally {
    await stores.close();
    await ingest.stop("SIGTERM");
  }
}

/** Returns a figure of Linux about the memory of a process, in MB. */
function statusOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf-8");
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return (Number(kilobytes) * 1_024) / 1e6;
}
