import type { TestContext } from "vitest";
import { type ChatRequest, type Reply, startChatModel } from "../servers/chat-model.ts";
import { type Misbehave, person } from "../servers/telegram.ts";
import { modelKey } from "../servers/text-model.ts";
import { type Home, ingestHere } from "./home.ts";
import { homeWithBot } from "./telegram-home.ts";

export const otherPerson = 1002;

/** Creates a home with the assistant in Telegram, for the operator and for Ann. */
export function setUp(
  t: TestContext,
  script: (request: ChatRequest, index: number) => Reply,
  env?: Record<string, string>,
  misbehave?: Misbehave,
) {
  return setUpWith(ingestHere, t, script, env, misbehave);
}

/** Does the same with `ingestAt`, for tests that kill the process. */
export async function setUpWith<Ingest>(
  start: (home: Home, env: Record<string, string>) => Promise<Ingest>,
  t: TestContext,
  script: (request: ChatRequest, index: number) => Reply,
  env: Record<string, string> = {},
  misbehave?: Misbehave,
) {
  const model = await startChatModel("anthropic", script);
  const people = [person, otherPerson].join();
  const { home, bot, message } = await homeWithBot(
    t,
    {
      ASSISTANT_PROVIDER: "anthropic",
      ASSISTANT_MODEL: "scripted-model",
      ASSISTANT_API_KEY: modelKey,
      ASSISTANT_BASE_URL: model.url,
      ASSISTANT_TELEGRAM: "true",
      TELEGRAM_CHAT_ID: people,
      TELEGRAM_APPROVER_IDS: `${person},ann:${otherPerson}`,
      INGEST_RECIPIENTS: "@inbox.test",
      ...env,
    },
    misbehave,
    { [person]: "private", [otherPerson]: "private" },
  );
  home.later(() => model.close());
  const ingest = await start(home, home.env);
  const sentTo = (chat: number) =>
    bot.messages.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
  return { home, bot, message, model, ingest, sentTo };
}
