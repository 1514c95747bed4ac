// The build for the web uses Node's own `fetch`. The other one loads an HTTP client: 165 ms and 18 MB.
import { Api, type ApiClientOptions, GrammyError } from "grammy/web";
import type { Secret } from "../../core/shared/secret.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChatEvent, MessengerMessage, Messenger } from "../../ports/people/messenger.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { telegramError } from "./errors.ts";
import { shortAnswer } from "./short-answer.ts";
import type { Data } from "../../core/shared/data.ts";

/** How long Telegram holds a request for events open, and how much longer we wait for its response. Seconds. */
const pollSeconds = 25;
const pollGraceSeconds = 10;
/** Time limit of all other requests, which Telegram answers immediately. Seconds. */
const answerSeconds = 10;

/** Creates the messenger for a Telegram bot. The first use sends the first request. */
export function createTelegram(settings: { botToken: Secret; apiUrl: string }): Messenger {
  const token = settings.botToken.reveal();
  const closing = new AbortController();
  const apiWithin = (timeoutSeconds: number): Api =>
    new Api(token, {
      apiRoot: settings.apiUrl,
      timeoutSeconds,
      // grammY's types name the fetch of its other build. This one calls the given function with a URL and options.
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
        // Answers are written for the person, who may copy and forward them.
        const isProtected = message.quotation === undefined;
        const sent = await api.sendMessage(chatId, text, {
          ...options,
          protect_content: isProtected,
        });
        if (!Number.isSafeInteger(sent.message_id))
          throw new Error("the response has a message without an id");
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
    typing: (chatId) => ours(async () => void (await api.sendChatAction(chatId, "typing"))),
    answer: (pressId, text, mustBeClosed = false) =>
      ours(async () => {
        const shown = { text: shortAnswer(text), ...(mustBeClosed && { show_alert: true }) };
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
          hint: "TELEGRAM_CHAT_ID: a press in a group does not count. Set a private chat with the bot.",
        });
      }
    },
    close: () => closing.abort(),
  };
}

/**
 * Uses entities instead of markup, because no text can end an entity. Telegram links addresses, but not inside `code`.
 */
function asTelegramHasIt({ text, quoted, quotation, buttons }: MessengerMessage) {
  return {
    text,
    entities: [
      ...(quotation === undefined ? [] : [{ type: "blockquote" as const, ...quotation }]),
      ...quoted.map((place) => ({ type: "code" as const, ...place })),
    ],
    link_preview_options: { is_disabled: true },
    reply_markup: {
      inline_keyboard: buttons.map((row) =>
        row.map(({ label, data }) => ({ text: label, callback_data: data })),
      ),
    },
  };
}

/** Returns whether the message was deleted, is too old to be edited, or already has this text. */
function isGoneOrSame(thrown: unknown): boolean {
  return (
    thrown instanceof GrammyError &&
    thrown.error_code === 400 &&
    /not modified|message to edit not found|can't be edited|MESSAGE_ID_INVALID/i.test(
      thrown.description,
    )
  );
}

function fieldsOf(value: unknown): Data {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Parses an event. Undefined without a number, which is needed to confirm it. Unsupported events have no action. */
function eventOf(update: unknown): ChatEvent | undefined {
  const { update_id: eventId, message, callback_query: press } = fieldsOf(update);
  if (typeof eventId !== "number" || !Number.isSafeInteger(eventId)) return undefined;
  const pressed = fieldsOf(press);
  const written = fieldsOf(press === undefined ? message : pressed["message"]);
  const chat = fieldsOf(written["chat"]);
  const from = fieldsOf((press === undefined ? written : pressed)["from"]);
  const { id: pressId, data } = pressed;
  return {
    eventId,
    from: idOf(from["id"]),
    chat: { chatId: idOf(chat["id"]), isPrivate: chat["type"] === "private" },
    did:
      press === undefined
        ? writtenBy(written)
        : typeof pressId === "string" && typeof data === "string"
          ? { press: data, pressId }
          : undefined,
  };
}

/** Fields of a message that others wrote: forwarded, or composed by another bot. */
const foreign = [
  "forward_origin",
  "forward_date",
  "forward_from",
  "forward_from_chat",
  "forward_sender_name",
  "via_bot",
];
/**
 * Fields of a message that a person sends without text. Notices of the chat itself, such as a pinned message, have none
 * of them.
 */
const contents =
  "animation audio checklist contact dice document game location paid_media photo poll sticker story venue video video_note voice";

/** Returns the content of a person's message. Undefined for a notice of the chat itself. */
function writtenBy(message: Data): ChatEvent["did"] {
  const { text, media_group_id: group } = message;
  const album = typeof group === "string" ? { album: group } : {};
  const isContent = contents.split(" ").some((name) => name in message);
  if (typeof text !== "string" && !isContent) return undefined;
  if (foreign.some((name) => name in message)) return { unread: "forwarded", ...album };
  if (typeof text !== "string") return { unread: "other", ...album };
  const { message_id: answered } = fieldsOf(message["reply_to_message"]);
  return { text, ...(typeof answered === "number" && { repliesTo: answered }) };
}

function idOf(value: unknown): string {
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : "";
}
