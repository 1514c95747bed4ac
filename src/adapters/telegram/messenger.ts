// The build for the web speaks with Node's own `fetch`; the other one loads an HTTP client of its own: 165 ms and 18 MB.
import { Api, type ApiClientOptions, GrammyError } from "grammy/web";
import type { Secret } from "../../core/shared/secret.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChatEvent, ChatMessage, Messenger } from "../../ports/people/messenger.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { telegramError } from "./errors.ts";

/** How long Telegram holds a request for events open, and how much longer we wait for its answer. Seconds. */
const pollSeconds = 25;
const pollGraceSeconds = 10;
/** Everything else is answered at once or not at all. Seconds. */
const answerSeconds = 10;

/** Telegram's limit for the text that tells of a press. Characters. */
const maxAnswerCharacters = 200;

/** A bot of Telegram. Nothing is requested before it is used. */
export function createTelegram(settings: { botToken: Secret; apiUrl: string }): Messenger {
  const token = settings.botToken.reveal();
  const closing = new AbortController();
  const apiWithin = (timeoutSeconds: number): Api =>
    new Api(token, {
      apiRoot: settings.apiUrl,
      timeoutSeconds,
      // grammY's types name the fetch of its other build; this one calls whatever it is given with an address and options.
      fetch: boundedFetch(closing.signal) as unknown as NonNullable<ApiClientOptions["fetch"]>,
    });
  const api = apiWithin(answerSeconds);
  const polling = apiWithin(pollSeconds + pollGraceSeconds);

  async function ours<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (thrown) {
      throw telegramError(thrown, token, closing.signal.aborted);
    }
  }

  return {
    send: (chatId, message) =>
      ours(async () => {
        const { text, ...options } = asTelegramHasIt(message);
        const sent = await api.sendMessage(chatId, text, { ...options, protect_content: true });
        if (!Number.isSafeInteger(sent.message_id)) throw new Error("a message without an id");
        return sent.message_id;
      }),
    edit: (chatId, messageId, message) =>
      ours(async () => {
        const { text, ...options } = asTelegramHasIt(message);
        try {
          await api.editMessageText(chatId, messageId, text, options);
        } catch (thrown) {
          if (!isGoneOrSame(thrown)) throw thrown;
        }
      }),
    answer: (pressId, text) =>
      ours(async () => {
        const shown = { text: text.slice(0, maxAnswerCharacters) };
        await api.answerCallbackQuery(pressId, shown);
      }),
    receive: (after) =>
      ours(async () => {
        const updates: unknown = await polling.getUpdates({
          ...(after !== undefined && { offset: after + 1 }),
          timeout: pollSeconds,
          allowed_updates: ["message", "callback_query"],
        });
        if (!Array.isArray(updates)) throw new Error("no list of events");
        return updates.flatMap((update: unknown) => eventOf(update) ?? []);
      }),
    check: async (chatIds) => {
      await ours(() => api.getMe());
      for (const chatId of chatIds) {
        const { type } = await ours(() => api.getChat(chatId));
        if (type === "private") continue;
        throw new ToolError("not_configured", `The chat ${chatId} is not a private one.`, {
          hint: "TELEGRAM_CHAT_ID: what is pressed in a group does not count. Name a private chat with the bot.",
        });
      }
    },
    close: () => closing.abort(),
  };
}

/** Entities instead of markup: no text can end one. Telegram makes links of what looks like one, but not inside `code`. */
function asTelegramHasIt({ text, quoted, buttons }: ChatMessage) {
  return {
    text,
    entities: quoted.map((place) => ({ type: "code" as const, ...place })),
    link_preview_options: { is_disabled: true },
    reply_markup: {
      inline_keyboard: buttons.map((row) =>
        row.map(({ label, data }) => ({ text: label, callback_data: data })),
      ),
    },
  };
}

/** The person has deleted the message, it is too old to be edited, or it says so already. */
function isGoneOrSame(thrown: unknown): boolean {
  return (
    thrown instanceof GrammyError &&
    thrown.error_code === 400 &&
    /not modified|message to edit not found|can't be edited|MESSAGE_ID_INVALID/i.test(
      thrown.description,
    )
  );
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Undefined for what has no number: it cannot even be confirmed. What we have no use for is an event in which nothing was done. */
function eventOf(update: unknown): ChatEvent | undefined {
  const { update_id: eventId, message, callback_query: press } = fieldsOf(update);
  if (typeof eventId !== "number" || !Number.isSafeInteger(eventId)) return undefined;
  const pressed = fieldsOf(press);
  const written = fieldsOf(press === undefined ? message : pressed["message"]);
  const chat = fieldsOf(written["chat"]);
  const from = fieldsOf((press === undefined ? written : pressed)["from"]);
  const { id: pressId, data } = pressed;
  const { text } = written;
  const { message_id: answered } = fieldsOf(written["reply_to_message"]);
  return {
    eventId,
    from: idOf(from["id"]),
    chat: { chatId: idOf(chat["id"]), isPrivate: chat["type"] === "private" },
    did:
      typeof pressId === "string" && typeof data === "string"
        ? { press: data, pressId }
        : press === undefined && typeof text === "string"
          ? { text, ...(typeof answered === "number" && { repliesTo: answered }) }
          : undefined,
  };
}

function idOf(value: unknown): string {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : "";
}
