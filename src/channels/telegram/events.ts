import type { AuditRecord } from "../../core/audit/audit.ts";
import { denialNote } from "../../core/approvals/denial.ts";
import { decideTicket, mayDecide } from "../../core/approvals/decide-ticket.ts";
import { approveAndAllowSimilar } from "../../core/policy/rules/allow-similar.ts";
import type { RuleStore } from "../../core/policy/rules/rule-store.ts";
import { sha256Hex } from "../../core/shared/digest.ts";
import type { Log } from "../../core/shared/log.ts";
import { resumeAll, setPause, whyPaused } from "../../core/approvals/pause.ts";
import { type Tickets, everybody } from "../../core/approvals/ticket.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ChangeMessages } from "../../ports/people/change-messages.ts";
import type { ChatAction, ChatRecord } from "../../ports/people/chat-record.ts";
import type { ChatEvent, Messenger } from "../../ports/people/messenger.ts";
import type { Undo } from "../../ports/files/recent-changes.ts";
import { formatMoment, formatOutcome } from "../words.ts";
import type { ChatPeople } from "./people.ts";
import { plainText } from "./plain-text.ts";
import { type Pressed, createUndoPress } from "./undo-press.ts";

const belongsToNothing = "The request of this button no longer exists. Nothing was decided.";

const help =
  "Decide requests with the buttons below them. Your reply to a request is sent to the assistant with your denial. /stop pauses all calls that need approval, and /start resumes them.";
const assistantHelp =
  "Write to the assistant here. /new begins a new conversation. While it answers, /stop stops only the answer.";

const unread = {
  forwarded:
    "A forwarded message is not read, because it has another author. Nothing was done. Write your question yourself.",
  other: "Only text is read here. Nothing was done. Write your message as text.",
};

/** How often ignored senders are logged. Milliseconds. */
const logIgnoredEveryMs = 60_000;

/** The assistant that answers messages. */
export interface ChatAssistant {
  /** Records a message. Returns false if its event was processed before. */
  begin(eventId: number, chatId: string): Promise<boolean>;
  /** Answers a recorded message. Returns immediately. */
  ask(question: { eventId: number; chatId: string; approver: string; text: string }): void;
  /** Stops the answer and drops waiting questions. Returns whether there was any of them. */
  stop(chatId: string): boolean;
  /** Deletes the conversation. */
  forget(chat: { chatId: string; approver: string }): Promise<void>;
  close(): Promise<void>;
}

export interface EventSettings {
  messenger: Messenger;
  record: ChatRecord;
  tickets: Tickets;
  audit: AuditRecord;
  rules: RuleStore;
  undo: Undo;
  changeMessages: ChangeMessages;
  people: ChatPeople;
  /** Undefined if messages are no questions. */
  assistant: ChatAssistant | undefined;
  log: Log;
  /** A request was decided, or a change undone. */
  onDecided: () => void;
  clock?: () => Date;
}

/**
 * Creates the handler that processes each event once. Rejects only if a store is unavailable, so that the event is
 * delivered again.
 */
export function createEventHandler(settings: EventSettings): (event: ChatEvent) => Promise<void> {
  const { messenger, record, tickets, audit, rules, people, assistant, log, onDecided } = settings;
  const clock = settings.clock ?? (() => new Date());
  const undoFor = createUndoPress({ ...settings, clock });
  const ignored = { count: 0, loggedAt: -Infinity };
  /** The album that was answered last in each chat. */
  const albums = new Map<string, string>();

  /** Ignores an event without any answer, so that its sender learns nothing. */
  function ignore({ from, chat }: ChatEvent): void {
    ignored.count += 1;
    const at = clock().getTime();
    if (at - ignored.loggedAt < logIgnoredEveryMs) return;
    log.info("ignored a Telegram event that is not from an approver in a listed private chat", {
      times: ignored.count,
      user: from,
      chat: chat.chatId,
      private: chat.isPrivate,
    });
    ignored.count = 0;
    ignored.loggedAt = at;
  }

  async function press(data: string, chatId: string, approver: string): Promise<Pressed> {
    const button = await record.button(sha256Hex(data), chatId);
    if (button?.action === "undo") {
      const said = await undoFor(approver, button.subjectId);
      onDecided();
      return said ?? belongsToNothing;
    }
    const ticket = button && (await tickets.find(button.subjectId));
    if (!button || !ticket || !mayDecide(approver, ticket.principal)) return belongsToNothing;
    try {
      const said = await decide(ticket.ticketId, button.action, approver, chatId);
      onDecided();
      return said;
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.retryable) throw thrown;
      return [thrown.message, thrown.hint].join(" ");
    }
  }

  async function decide(
    ticketId: string,
    action: Exclude<ChatAction, "undo">,
    by: string,
    chatId: string,
  ): Promise<string> {
    const channel = { channel: "telegram", by } as const;
    const said = async (verdict: "approve" | "deny" | "again") => {
      if (verdict === "approve") return { verdict };
      const note = await record.noteFor(ticketId, chatId);
      return {
        verdict: "deny" as const,
        ...(note !== undefined && { note }),
        ...(verdict === "again" && { mayAskAgain: true as const }),
      };
    };
    const result =
      action === "similar"
        ? await approveAndAllowSimilar({ tickets, audit, rules }, ticketId, channel)
        : await decideTicket({ tickets, audit }, ticketId, { ...(await said(action)), ...channel });
    if (!result.won) return `Already decided. ${formatOutcome(result.ticket)}`;
    if (result.ticket.status === "denied") {
      const { note } = result.ticket.decision;
      return [
        "Denied. Nothing was done.",
        ...(note === undefined ? [] : ["Your note is sent to the assistant."]),
        ...(result.pause ? [`Paused, because ${whyPaused}. /start resumes.`] : []),
      ].join(" ");
    }
    if (action === "approve") return "Approved.";
    return "rule" in result && result.rule !== undefined
      ? "Approved, and similar calls are allowed for a while."
      : "Approved. Similar calls are not allowed: the rule could not be stored.";
  }

  /**
   * Stores a reply as a note. The person decides with a button. Returns undefined for a reply to another message, which
   * is a question for the assistant.
   */
  async function reply(
    chatId: string,
    messageId: number,
    text: string,
  ): Promise<string | undefined> {
    const note = denialNote(text);
    if (note === undefined) return "The message contains no text. No note was stored.";
    const ticketId = await record.keepNote(chatId, messageId, note);
    if (ticketId === undefined && assistant !== undefined) return undefined;
    const ticket = ticketId === undefined ? undefined : await tickets.find(ticketId);
    if (ticket === undefined)
      return "The request of this message no longer exists. Reply to a request's own message to send the assistant a note.";
    return ticket.status === "pending"
      ? "Note stored. The assistant gets it when you press one of the Deny buttons. Nothing was decided."
      : `Already decided, so your note was not sent. ${formatOutcome(ticket)}`;
  }

  async function command(text: string, chatId: string, approver: string): Promise<string> {
    const scope = approver === "operator" ? everybody : approver;
    const [, name] = /^\/(stop|start|new)(?:@\w+)?(?:\s|$)/i.exec(text) ?? [];
    switch (name?.toLowerCase()) {
      case "new":
        if (assistant === undefined) return help;
        assistant.stop(chatId);
        await assistant.forget({ chatId, approver });
        return "New conversation. The earlier one was deleted.";
      case "stop": {
        if (assistant?.stop(chatId) === true)
          return "The answer was stopped. Nothing is paused. Send /stop again to pause all calls that need approval.";
        await setPause(
          { tickets, audit },
          { scope, by: approver, paused: true, channel: "telegram" },
        );
        return "Paused. No call that needs approval runs, and no request can be approved. /start resumes.";
      }
      case "start":
        return await resume(approver);
      default:
        return assistant === undefined ? help : `${help} ${assistantHelp}`;
    }
  }

  async function resume(approver: string): Promise<string> {
    const resumed = await resumeAll(
      { tickets, audit },
      {
        mayResume: (scope) => mayDecide(approver, scope),
        scope: approver === "operator" ? everybody : approver,
        by: approver,
        channel: "telegram",
      },
    );
    const pause = await tickets.pauseOf(approver);
    if (pause !== undefined)
      return `The operator paused everything, ${formatMoment(pause.at)}. Only the operator can resume.`;
    if (resumed.length === 0)
      return `${assistant === undefined ? "" : `${assistantHelp} `}Your approval requests are shown here. /stop pauses all calls that need approval. /start has reset the assistant's call limits.`;
    return "Resumed. Requests can be approved again. /stop pauses all calls that need approval.";
  }

  /** Returns why a message was not read, once for the several messages of an album. */
  async function answerUnread(
    { unread: why, album }: { unread: keyof typeof unread; album?: string },
    chatId: string,
  ): Promise<string | undefined> {
    if (album !== undefined && albums.get(chatId) === album) return undefined;
    if (album !== undefined) albums.set(chatId, album);
    return unread[why];
  }

  const done = (
    did: NonNullable<ChatEvent["did"]>,
    chatId: string,
    by: string,
  ): Promise<Pressed | undefined> => {
    if ("press" in did) return press(did.press, chatId, by);
    if ("unread" in did) return answerUnread(did, chatId);
    const { text, repliesTo } = did;
    // A command in a reply is still a command.
    return repliesTo === undefined || text.startsWith("/")
      ? command(text, chatId, by)
      : reply(chatId, repliesTo, text);
  };

  return async (event) => {
    const approver = people.approverOf(event);
    if (approver === undefined) return ignore(event);
    const { did } = event;
    const { chatId } = event.chat;
    if (did === undefined) return;
    const question = { eventId: event.eventId, chatId, approver };
    if (assistant !== undefined && isQuestion(did)) {
      if (await assistant.begin(event.eventId, chatId)) assistant.ask({ ...question, ...did });
      return;
    }
    if (!(await record.isFirst(event.eventId))) return;
    const said = await done(did, chatId, approver).catch(async (thrown: unknown) => {
      // The event may be delivered again. If even this fails, the person gets no answer and may press again.
      if (thrown instanceof ToolError && thrown.retryable)
        await record.forget(event.eventId).catch(() => undefined);
      throw thrown;
    });
    if (said === undefined) {
      if ("text" in did) assistant?.ask({ ...question, text: did.text });
      return;
    }
    const isAsking = typeof said !== "string";
    const answer = isAsking ? said.question : said;
    const telling =
      "press" in did
        ? messenger.answer(did.pressId, answer, isAsking)
        : messenger.send(chatId, { ...plainText([answer]), buttons: [] });
    // The decision is valid even if the answer is not delivered, for example when a press is processed late.
    await telling.then(undefined, (cause: unknown) =>
      log.debug("an answer in Telegram was not delivered", { cause }),
    );
  };
}

/** Returns whether an event is a message that is neither a command nor a reply. */
function isQuestion(did: NonNullable<ChatEvent["did"]>): did is { text: string } {
  return "text" in did && did.repliesTo === undefined && !did.text.startsWith("/");
}
