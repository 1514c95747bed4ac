import { type TestContext, vi } from "vitest";
import {
  type BotMessage,
  type Misbehave,
  botToken,
  person,
  startTelegram,
} from "../servers/telegram.ts";
import { type ClientKind, type Reaction, connect, connectHere } from "./clients.ts";
import { type Home, newHome } from "./home.ts";

/** Creates a home whose only other approval channel is Telegram. */
export async function homeWithBot(
  t: TestContext,
  env: Record<string, string> = {},
  misbehave?: Misbehave,
  chats?: Readonly<Record<number, string>>,
) {
  const bot = await startTelegram(misbehave, chats);
  const home = newHome(t, {
    TELEGRAM_BOT_TOKEN: botToken,
    TELEGRAM_CHAT_ID: String(person),
    TELEGRAM_APPROVER_IDS: String(person),
    TELEGRAM_API_URL: bot.url,
    APPROVAL_OPEN: "never",
    ...env,
  });
  home.later(() => bot.close());
  /** The first message that has this in it, as soon as it is there. */
  const message = (part: string | RegExp, within = 30_000): Promise<BotMessage> =>
    vi.waitFor(
      () => {
        const found = bot.messages.find(({ text }) =>
          typeof part === "string" ? text.includes(part) : part.test(text),
        );
        if (found === undefined)
          throw new Error(`no such message among: ${bot.messages.map(({ text }) => text).join()}`);
        return found;
      },
      { timeout: within, interval: 25 },
    );
  return { home, bot, message };
}

/** Connects a client, and makes a call that deletes a file. The server is in this process unless `over` is `stdio`. */
export async function clientWithFile(
  home: Home,
  options: { kind?: ClientKind; elicitation?: Reaction; over?: "stdio" } = {},
) {
  const { kind = "v2 legacy", over, ...rest } = options;
  const client = await (over === undefined ? connectHere : connect)(home, kind, rest);
  const key = "plan.md";
  await client.call("write_file", { key, content: "a plan" });
  return { client, key, remove: () => client.call("delete_file", { key }) };
}
