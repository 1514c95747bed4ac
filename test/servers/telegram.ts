import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

/** Every test's bot. */
export const botToken = "123456789:AAtest-token-that-must-never-be-seen";

/** The person whose private chat with the bot it is: Telegram gives both one id. */
export const person = 1001;

const button = z.strictObject({
  text: z.string().min(1),
  // "1-64 bytes"
  callback_data: z.string().refine((data) => data !== "" && Buffer.byteLength(data) <= 64),
});
const content = z.looseObject({
  chat_id: z.coerce.number().int(),
  text: z.string().min(1).max(4096),
  parse_mode: z.undefined().optional(),
  entities: z
    .strictObject({
      type: z.enum(["code", "pre", "bold", "blockquote"]),
      offset: z.int().min(0),
      length: z.int().min(1),
    })
    .array()
    .max(100)
    .default([]),
  link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
  reply_markup: z
    .strictObject({ inline_keyboard: z.array(z.array(button)) })
    .default({ inline_keyboard: [] }),
});
const forms = {
  getMe: z.looseObject({}),
  getChat: z.looseObject({ chat_id: z.coerce.number().int() }),
  getUpdates: z.looseObject({
    offset: z.int().optional(),
    timeout: z.int().min(1),
    allowed_updates: z.array(z.string()),
  }),
  sendMessage: content.extend({ protect_content: z.boolean() }),
  editMessageText: content.extend({ message_id: z.int() }),
  sendChatAction: z.strictObject({
    chat_id: z.coerce.number().int(),
    action: z.literal("typing"),
  }),
  answerCallbackQuery: z.looseObject({
    callback_query_id: z.string(),
    text: z.string().max(200).optional(),
  }),
} as const;
type Method = keyof typeof forms;

export interface BotMessage {
  chatId: number;
  messageId: number;
  text: string;
  buttons: { text: string; callback_data: string }[];
  /** The parts that Telegram would turn into links. */
  links: string[];
  /** The parts that are shown as a quotation. */
  quotations: string[];
  /** Whether the person can neither copy nor forward it. */
  isProtected: boolean;
  edits: number;
}

type Update = { update_id: number } & Record<string, unknown>;

export interface Press {
  from?: number;
  chat?: { id: number; type: string };
  data?: string;
}

export interface TelegramServer {
  url: string;
  /** The methods that were called, in order. */
  readonly calls: readonly Method[];
  readonly messages: readonly BotMessage[];
  /** Presses a message's button. Resolves with the notice that the person gets. */
  press(message: BotMessage, label: string, press?: Press): Promise<string>;
  /** The same, without waiting for a response. */
  pressUnanswered(message: BotMessage, label: string, press?: Press): void;
  write(text: string, from?: number, chat?: { id: number; type: string }): void;
  /** A message of another kind, in the person's private chat. */
  writeOther(fields: Record<string, unknown>, from?: number): void;
  /** The person answers a message of the bot. */
  reply(message: BotMessage, text: string): void;
  /** Delivers the last update again, as after a lost confirmation. */
  repeatLast(): void;
  /** True when nothing waits to be delivered. */
  isDrained(): boolean;
  close(): Promise<void>;
}

/** Answers in place of the API if it returns true. `chatId` is the chat of the request. */
export type Misbehave = (
  method: string,
  response: ServerResponse,
  count: number,
  chatId: unknown,
) => boolean | undefined | void;

/** Answers with an error of the API. */
export function refuseWith(response: ServerResponse, code: number, retryAfter?: number): true {
  const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
  const error = { ok: false, error_code: code, description: "scripted", ...parameters };
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(error));
  return true;
}

/**
 * Starts Telegram's Bot API as it is documented, on loopback, with the methods that we use. It is strict: unknown
 * methods and fields are refused.
 */
export async function startTelegram(
  misbehave: Misbehave = () => false,
  chats: Readonly<Record<number, string>> = { [person]: "private" },
): Promise<TelegramServer> {
  const calls: Method[] = [];
  const messages: BotMessage[] = [];
  let updates: Update[] = [];
  let last: Update | undefined;
  let nextUpdate = 700_000_001;
  let nextMessage = 1;
  let nextPress = 1;
  const answers = new Map<string, (text: string) => void>();
  let polling: { response: ServerResponse; timer: NodeJS.Timeout; offset: number } | undefined;

  const send = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  const ok = (response: ServerResponse, result: unknown) =>
    send(response, 200, { ok: true, result });
  const refuse = (response: ServerResponse, code: number, description: string) =>
    send(response, code, { ok: false, error_code: code, description });

  function deliver(): void {
    if (polling === undefined) return;
    const { response, timer, offset } = polling;
    const found = updates.filter(({ update_id: id }) => id >= offset);
    if (found.length === 0) return;
    clearTimeout(timer);
    polling = undefined;
    ok(response, found);
  }

  function add(update: Record<string, unknown>): void {
    last = { update_id: nextUpdate, ...update };
    nextUpdate += 1;
    updates.push(last);
    deliver();
  }

  function poll(response: ServerResponse, { offset, timeout }: z.output<typeof forms.getUpdates>) {
    if (polling !== undefined) {
      clearTimeout(polling.timer);
      refuse(
        polling.response,
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
      );
    }
    if (offset !== undefined) updates = updates.filter(({ update_id: id }) => id >= offset);
    const timer = setTimeout(() => {
      polling = undefined;
      ok(response, []);
    }, timeout * 1_000);
    polling = { response, timer, offset: offset ?? 0 };
    response.once("close", () => {
      if (polling?.response !== response) return;
      clearTimeout(timer);
      polling = undefined;
    });
    deliver();
  }

  function written(
    form: z.output<typeof content>,
  ): Omit<BotMessage, "messageId" | "edits" | "isProtected"> {
    const { chat_id: chatId, text, entities, reply_markup: markup } = form;
    for (const { offset, length } of entities)
      if (offset + length > text.length) throw new Error("an entity beyond the text");
    const code = entities.filter(({ type }) => type !== "blockquote");
    const quotations = entities
      .filter(({ type }) => type === "blockquote")
      .map(({ offset, length }) => text.slice(offset, offset + length));
    const buttons = markup.inline_keyboard.flat();
    return { chatId, text, buttons, links: linksIn(text, code), quotations };
  }

  function answer(method: Method, response: ServerResponse, body: unknown): void {
    switch (method) {
      case "getMe":
        return ok(response, {
          id: 123_456_789,
          is_bot: true,
          first_name: "Bot",
          username: "b_bot",
        });
      case "getChat": {
        const { chat_id: id } = forms.getChat.parse(body);
        const type = chats[id];
        if (type === undefined) return refuse(response, 400, "Bad Request: chat not found");
        return ok(response, { id, type });
      }
      case "getUpdates":
        return poll(response, forms.getUpdates.parse(body));
      case "sendMessage": {
        const form = forms.sendMessage.parse(body);
        const message = { ...written(form), isProtected: form.protect_content };
        if (chats[message.chatId] === undefined)
          return refuse(response, 400, "Bad Request: chat not found");
        messages.push({ ...message, messageId: nextMessage, edits: 0 });
        ok(response, { message_id: nextMessage, chat: { id: message.chatId }, date: 1 });
        nextMessage += 1;
        return;
      }
      case "editMessageText": {
        const form = forms.editMessageText.parse(body);
        const found = messages.find(({ messageId }) => messageId === form.message_id);
        if (found === undefined)
          return refuse(response, 400, "Bad Request: message to edit not found");
        if (found.text === form.text)
          return refuse(response, 400, "Bad Request: message is not modified");
        Object.assign(found, written(form), { edits: found.edits + 1 });
        return ok(response, { message_id: found.messageId });
      }
      case "sendChatAction":
        forms.sendChatAction.parse(body);
        return ok(response, true);
      case "answerCallbackQuery": {
        const { callback_query_id: id, text = "" } = forms.answerCallbackQuery.parse(body);
        const tell = answers.get(id);
        if (tell === undefined)
          return refuse(response, 400, "Bad Request: query is too old or query ID is invalid");
        answers.delete(id);
        tell(text);
        return ok(response, true);
      }
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += String(piece);
    const [, token, name = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    const method = Object.keys(forms).find((known): known is Method => known === name);
    if (token !== botToken) return refuse(response, 401, "Unauthorized");
    if (method === undefined) return refuse(response, 404, "Not Found");
    calls.push(method);
    const count = calls.filter((called) => called === method).length;
    const body = z.looseObject({}).parse(text === "" ? {} : JSON.parse(text));
    if (misbehave(method, response, count, body["chat_id"]) === true) return;
    try {
      answer(method, response, body);
    } catch (error) {
      refuse(response, 400, `Bad Request: ${String(error)}`);
    }
  }

  function pressed(message: BotMessage, label: string, press: Press = {}): string {
    const { from = person, chat = { id: message.chatId, type: "private" } } = press;
    const found = message.buttons.find(({ text }) => text === label);
    const data = press.data ?? found?.callback_data;
    if (data === undefined) throw new Error(`no button ${label} below: ${message.text}`);
    const id = `press-${nextPress}`;
    nextPress += 1;
    add({
      callback_query: {
        id,
        from: { id: from, is_bot: false, first_name: "Somebody" },
        message: { message_id: message.messageId, chat, date: 1, text: message.text },
        chat_instance: "1",
        data,
      },
    });
    return id;
  }

  const server = createServer((request, response) => void handle(request, response)).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    messages,
    press: (message, label, press) =>
      new Promise((resolve) => answers.set(pressed(message, label, press), resolve)),
    pressUnanswered: (message, label, press) => {
      const id = pressed(message, label, press);
      answers.set(id, () => {
        throw new Error("somebody was answered");
      });
    },
    write: (text, from = person, chat = { id: from, type: "private" }) =>
      add({
        message: { message_id: 1, from: { id: from, first_name: "S" }, chat, date: 1, text },
      }),
    writeOther: (fields, from = person) => {
      const chat = { id: from, type: "private" };
      add({
        message: { message_id: 1, from: { id: from, first_name: "S" }, chat, date: 1, ...fields },
      });
    },
    reply: ({ chatId, messageId, text: answered }, text) => {
      const chat = { id: chatId, type: "private" };
      const reply_to_message = { message_id: messageId, chat, date: 1, text: answered };
      const from = { id: person, first_name: "S" };
      add({ message: { message_id: 1, from, chat, date: 1, text, reply_to_message } });
    },
    repeatLast: () => {
      if (last === undefined) throw new Error("there was no update");
      updates.push(last);
      // Simulates that the offset which confirmed it was lost.
      if (polling !== undefined) polling.offset = Math.min(polling.offset, last.update_id);
      deliver();
    },
    isDrained: () => updates.length === 0,
    close: async () => {
      clearTimeout(polling?.timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Returns what Telegram links automatically: addresses, host names, mail addresses, user names, commands. Text in
 * `code` is not linked.
 */
export function linksIn(
  text: string,
  entities: readonly { offset: number; length: number }[],
): string[] {
  const linked =
    /[a-z][a-z\d+.-]*:\/\/\S+|[\w.+-]+@[\w-]+\.\w+|(?<!\w)@\w+|(?<![\w/])\/[a-z]\w*|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/gi;
  return [...text.matchAll(linked)]
    .filter(
      ({ index }) =>
        !entities.some(({ offset, length }) => index >= offset && index < offset + length),
    )
    .map(([found]) => found);
}
