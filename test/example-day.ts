import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Reply, startChatModel } from "./servers/chat-model.ts";
import { startIngest } from "./servers/ingest.ts";
import { type BotMessage, botToken, person, startTelegram } from "./servers/telegram.ts";
import { modelKey } from "./servers/text-model.ts";

// Writes docs/guides/example-day.md. The model is scripted and Telegram is a fake. Every line of the bot is from the
// built program.

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const withinMs = 60_000;

const script: readonly Reply[] = [
  { calls: [["search_emails", { query: "lease" }]] },
  { text: ["Ann asks you to sign the lease by Friday. Shall I note that?"] },
  {
    calls: [
      ["write_file", { key: "notes/lease.md", content: "Sign the lease by Friday.\n" }],
      ["remind_me", { text: "Sign the lease", at: new Date(Date.now() + 3_600_000).toISOString() }],
    ],
  },
  { text: ["I wrote notes/lease.md, and I remind you in an hour."] },
  {
    text: ["That needs your approval."],
    calls: [["delete_file", { key: "notes/lease.md" }]],
  },
  { text: ["The note is deleted."] },
];

const dataDir = mkdtempSync(join(tmpdir(), "countersign-day-"));
let wake = (): void => undefined;
/** Each request of the program wakes `hear`, after the request was processed. */
const bot = await startTelegram(() => {
  setImmediate(() => wake());
  return false;
});
const model = await startChatModel("anthropic", (_, index) => script[index] ?? { text: ["Ok."] });
const env = {
  TZ: "UTC",
  TELEGRAM_BOT_TOKEN: botToken,
  TELEGRAM_CHAT_ID: String(person),
  TELEGRAM_APPROVER_IDS: String(person),
  TELEGRAM_API_URL: bot.url,
  // Due now, so that it is not late.
  DIGEST_AT: new Date().toISOString().slice(11, 16),
  ASSISTANT_PROVIDER: "anthropic",
  ASSISTANT_MODEL: "scripted",
  ASSISTANT_API_KEY: modelKey,
  ASSISTANT_BASE_URL: model.url,
  ASSISTANT_TELEGRAM: "true",
};

const lines: string[] = [];
const shown = new Set<BotMessage>();

function quote(who: string, text: string, buttons: readonly string[] = []): void {
  const row = buttons.length === 0 ? [] : ["", ...buttons.map((label) => `[ ${label} ]`)];
  lines.push(`**${who}:**`, "", "```", text, ...row, "```", "");
}

/** Waits for a message of the bot, and adds all that were not shown yet. */
async function hear(part: string): Promise<BotMessage> {
  const tooLate = setTimeout(() => {
    throw new Error(`The bot did not say: ${part}`);
  }, withinMs);
  for (;;) {
    const found = bot.messages.find(({ text }) => text.includes(part));
    if (found !== undefined) {
      for (const each of bot.messages.filter((one) => !shown.has(one))) {
        shown.add(each);
        quote(
          "Bot",
          each.text,
          each.buttons.map(({ text }) => text),
        );
      }
      clearTimeout(tooLate);
      return found;
    }
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

function say(text: string): void {
  quote("You", text);
  bot.write(text);
}

const mail = join(dataDir, "lease.eml");
writeFileSync(
  mail,
  `From: Ann <ann@example.org>\r\nTo: me@in.example\r\nDate: ${new Date().toUTCString()}\r\nSubject: The lease\r\n\r\nPlease sign the lease by Friday.\r\n`,
);
execFileSync(process.execPath, [at("bundle/main.js"), "import", mail], {
  env: { ...process.env, ...env, COUNTERSIGN_DATA_DIR: dataDir },
});
const ingest = await startIngest(dataDir, env);
try {
  lines.push("The digest comes at the time of `DIGEST_AT`.", "");
  await hear("Your day.");
  say("What does Ann want?");
  await hear("Ann asks you");
  say("Yes, and remind me in an hour.");
  await hear("I wrote notes/lease.md");
  await hear("stored a reminder");
  lines.push("The last message is the program's own report.", "");
  say("Delete the note again.");
  const asked = await hear("Delete the file");
  lines.push("You press Approve. The answer continues.", "");
  const told = await bot.press(asked, "Approve");
  lines.push(`Telegram shows: ${told}`, "");
  await hear("The note is deleted.");
  writeFileSync(
    at("docs/guides/example-day.md"),
    [
      "# An example day",
      "",
      "This page is written by `npm run docs:day`. The model is scripted, and every line of the bot is from the running program.",
      "",
      ...lines,
    ].join("\n"),
  );
} finally {
  await ingest.stop("SIGTERM");
  await bot.close();
  await model.close();
  rmSync(dataDir, { recursive: true, force: true });
}
