import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openObjectStore } from "../../src/adapters/libsql/files/object-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { sampleMails } from "../fixtures/codes.ts";
import { smtpSession } from "../servers/ingest.ts";
import { modelKey, startModel } from "../servers/text-model.ts";
import { connectHere } from "./clients.ts";
import { type Home, ingestHere, newHome } from "./home.ts";
import { runHere } from "./program.ts";
import { StdioHere } from "./stdio-here.ts";
import { homeWithBot } from "./telegram-home.ts";

vi.setConfig({ testTimeout: 300_000 });

/** A shorter value occurs by chance, in ids and times. */
const shortest = 6;
const samples = [...sampleMails("sign-in"), ...sampleMails("sign-in-held-back")];
const secrets = [...new Set(samples.flatMap((mail) => mail.secrets))].filter(
  (secret) => secret.length >= shortest,
);

const inAttachment = "48210937";
const inHtml = "73619482";
const inFileName = "55820146";

function messages(): Buffer[] {
  const head = (at: number, subject: string, type: string): string =>
    [
      "From: Service <no-reply@service.example>",
      "To: me@in.example",
      `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
      `Message-ID: <${at}@service.example>`,
      "MIME-Version: 1.0",
      `Content-Type: ${type}`,
    ].join("\r\n");
  const plain = samples.map(({ subject, text }, at) =>
    Buffer.from(
      `${head(at, subject, "text/plain; charset=utf-8")}\r\n\r\n${text.replaceAll("\n", "\r\n")}\r\n`,
    ),
  );
  const html = `${head(1_001, "Your verification code", "text/html; charset=utf-8")}\r\n\r\n<p>Your verification code is</p><h1><b>${inHtml.slice(0, 4)}</b>${inHtml.slice(4)}</h1>\r\n`;
  const attached = [
    head(1_002, "Your login", 'multipart/mixed; boundary="b"'),
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `The file has your sign-in code. Your sign-in code is ${inFileName}.`,
    "--b",
    `Content-Type: text/plain; charset=utf-8; name="code-${inFileName}.txt"`,
    `Content-Disposition: attachment; filename="code-${inFileName}.txt"`,
    "",
    `Your one-time sign-in code is ${inAttachment}. It expires in 10 minutes.`,
    "--b--",
    "",
  ].join("\r\n");
  return [...plain, Buffer.from(html), Buffer.from(attached)];
}

const all = [...secrets, inHtml, inAttachment, inFileName];

/** The hidden values, and each as a file has it: its bytes in UTF-8 and in UTF-16, as one character each. */
const formsOfAll = all.map((secret) => ({
  secret,
  forms: [Buffer.from(secret), Buffer.from(secret, "utf16le")].map((form) =>
    form.toString("latin1"),
  ),
}));

/** Returns the hidden values that a text or file has. */
function foundIn(bytes: Buffer | string): string[] {
  if (typeof bytes === "string") return all.filter((secret) => isApart(bytes, secret));
  const text = bytes.toString("latin1");
  return formsOfAll
    .filter(({ forms }) => forms.some((form) => isApart(text, form)))
    .map(({ secret }) => secret);
}

/** Ids, hashes and times have at least so many letters and digits in a row. */
const shortestId = 13;

/** Returns whether a text has a value outside of ids, hashes and times. They have six digits by chance. */
function isApart(text: string, value: string): boolean {
  const mayBeByChance = /^\d{6,8}$/.test(value);
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!mayBeByChance) return true;
    const before = /[0-9A-Za-z]*$/.exec(text.slice(Math.max(0, at - shortestId), at));
    const after = /^[0-9A-Za-z]*/.exec(text.slice(at + value.length, at + shortestId));
    const row = (before?.[0].length ?? 0) + value.length + (after?.[0].length ?? 0);
    if (row < shortestId) return true;
  }
  return false;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

/** Returns all stored objects, as the program reads them. */
async function objectsOf(home: Home): Promise<{ key: string; body: Buffer }[]> {
  const url = pathToFileURL(join(home.dir, "objects.db")).href;
  const store = openObjectStore({ url, log: quietLog });
  try {
    const { objects } = await store.list({ prefix: "", limit: 1_000 });
    return await Promise.all(
      objects.map(async ({ key }) => ({ key, body: Buffer.from((await store.get(key))!.body) })),
    );
  } finally {
    await store.close();
  }
}

/** Returns what is on disk: the places with a hidden value. The raw messages and attached files have them. */
async function leftOnDisk(home: Home): Promise<string[]> {
  const found: string[] = [];
  for (const path of filesIn(home.dir)) {
    // The store of objects has the raw messages. Its objects follow one by one.
    if (/objects\.db/.test(path)) continue;
    for (const secret of foundIn(readFileSync(path))) found.push(`${path}: ${secret}`);
  }
  // The program has not emptied its log yet. The objects are read when the files have no value.
  if (found.length > 0) return found;
  for (const { key, body } of await objectsOf(home)) {
    if (/^mail\/(?:raw|attachment)\//.test(key)) continue;
    for (const secret of foundIn(body)) found.push(`${key}: ${secret}`);
  }
  // Pages of the index have words without their common beginnings.
  const terms = await home.sql("SELECT term FROM mail_vocab");
  const words = new Set(terms.map(({ term }) => z.string().parse(term)));
  for (const secret of all)
    if (/^\d+$/.test(secret) && words.has(secret)) found.push(`index: ${secret}`);
  return found;
}

describe("sign-in codes, reset links and recovery keys in seven languages", () => {
  it("are on disk in the raw message only, and in no output", async (t) => {
    const model = await startModel("openai-compatible", ({ prompt }) => prompt.slice(-300));
    t.onTestFinished(() => model.close());
    const { home, bot, message } = await homeWithBot(t, {
      NOTIFY_NEW_MAIL: "true",
      LOG_LEVEL: "debug",
      SUMMARY_PROVIDER: "openai-compatible",
      SUMMARY_MODEL: "small",
      SUMMARY_API_KEY: modelKey,
      SUMMARY_BASE_URL: model.url,
    });
    const ingest = await ingestHere(home, home.env);
    const session = await smtpSession(ingest.port);
    const sent = messages();
    for (const mail of sent) expect(await session.send(mail)).toMatch(/^250/);
    session.close();
    await vi.waitFor(
      async () => {
        const [row] = await home.sql("SELECT count(*) AS n FROM mail WHERE due_at IS NULL");
        expect(row?.["n"]).toBe(sent.length);
        expect(model.requests.length).toBeGreaterThan(20);
      },
      { timeout: 120_000, interval: 200 },
    );
    await message(/new mail/, 60_000);
    // The write-ahead log of the running program had the raw messages.
    await vi.waitFor(async () => expect(await leftOnDisk(home)).toEqual([]), {
      timeout: 30_000,
      interval: 500,
    });
    expect(await ingest.stop("SIGTERM")).toBe(0);

    expect(foundIn(JSON.stringify(model.requests))).toEqual([]);
    expect(foundIn(bot.messages.map(({ text }) => text).join("\n"))).toEqual([]);

    const client = await connectHere(home, "v2 legacy");
    const answers: string[] = [];
    let hidden = 0;
    let last = "";
    let cursor: string | undefined;
    do {
      const page = await client.call("search_emails", { limit: 50, ...(cursor && { cursor }) });
      answers.push(page.text, JSON.stringify(page.output));
      const { emails, nextCursor } = z
        .object({
          emails: z.array(z.object({ id: z.string() })),
          nextCursor: z.string().optional(),
        })
        .parse(page.output);
      for (const { id } of emails) {
        const read = await client.call("read_email", { emailId: id });
        answers.push(read.text, JSON.stringify(read.output));
        const { hidden: own = 0, attachments = [] } = z
          .object({
            hidden: z.number().optional(),
            attachments: z.array(z.object({ id: z.string() })).optional(),
          })
          .parse(read.output);
        if (own > 0) hidden += 1;
        last = id;
        for (const { id: attachmentId } of attachments) {
          const file = await client.call("read_attachment", { emailId: id, attachmentId });
          answers.push(file.text, JSON.stringify(file.output));
        }
      }
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(hidden).toBe(sent.length);
    expect(foundIn(answers.join("\n"))).toEqual([]);
    await client.close();

    const trace = join(home.dir, "trace.jsonl");
    const traced = new Client({ name: "traced", version: "1" });
    await traced.connect(new StdioHere(home, { args: ["--trace", trace] }));
    await traced.callTool({ name: "search_emails", arguments: { query: "code" } });
    await traced.callTool({ name: "read_email", arguments: { emailId: last } });
    await traced.close();
    expect(readFileSync(trace, "utf8")).toContain("tools/call");

    const commands = [
      ["catalog", "list", "--json"],
      ["mail", "list", "--limit", "1000"],
      ["mail", "list", "--limit", "1000", "--json"],
      ["mail", "failed", "--json"],
      ["mail", "quarantine", "--json"],
      ["mail", "show", last],
      ["mail", "show", last, "--json"],
      ["activity", "--json"],
      ["activity", "--week"],
      ["approvals", "list", "--all", "--json"],
      ["audit", "list", "--json"],
      ["doctor"],
      ["doctor", "--client", trace],
    ];
    for (const args of commands) {
      const { stdout, stderr } = await runHere(home, args);
      expect(foundIn(stdout + stderr), args.join(" ")).toEqual([]);
    }
    const revealed = await runHere(home, ["mail", "show", last, "--reveal"]);
    expect(foundIn(revealed.stdout).length).toBeGreaterThan(0);

    const file = join(newHome(t).dir, "home.age");
    const input = "correct horse battery\n";
    expect((await runHere(home, ["backup", file, "--passphrase-stdin"], { input })).code).toBe(0);
    const other = newHome(t);
    expect((await runHere(other, ["restore", file, "--passphrase-stdin"], { input })).code).toBe(0);
    expect(await leftOnDisk(other)).toEqual([]);
    const copied = newHome(t);
    const target = join(newHome(t).dir, "new.env");
    writeFileSync(target, `COUNTERSIGN_DATA_DIR=${copied.dir}\n`, { mode: 0o600 });
    const said = await runHere(home, ["copy", "--to", target]);
    expect(said.code, said.stderr).toBe(0);
    expect(foundIn(said.stdout + said.stderr)).toEqual([]);
    expect(await leftOnDisk(copied)).toEqual([]);
    expect(await leftOnDisk(home)).toEqual([]);
    // The raw messages are there, so that the search above could find something.
    const raw = (await objectsOf(home)).filter(({ key }) => key.startsWith("mail/raw/"));
    expect(foundIn(Buffer.concat(raw.map(({ body }) => body))).length).toBeGreaterThan(90);
  });
});
