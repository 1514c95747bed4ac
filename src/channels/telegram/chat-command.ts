import { mayDecide } from "../../core/approvals/decide-ticket.ts";
import { resumeAll, setPause } from "../../core/approvals/pause.ts";
import { type Tickets, everybody } from "../../core/approvals/ticket.ts";
import type { AuditRecord } from "../../core/audit/audit.ts";
import { formatMoment } from "../words.ts";

const help =
  "Decide requests with the buttons below them. Your reply to a request is sent to the assistant with your denial. /stop pauses all calls that need approval, and /start resumes them.";
const assistantHelp =
  "Write to the assistant here. /new begins a new conversation. While it answers, /stop stops only the answer.";

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

/** A message of an approver that is no question for the assistant: `/stop`, `/start`, `/new` or any other text. */
export interface ChatCommand {
  text: string;
  chatId: string;
  approver: string;
}

/** Creates the function that carries out a command and returns the answer to the approver. */
export function createChatCommand({
  tickets,
  audit,
  assistant,
}: {
  tickets: Tickets;
  audit: AuditRecord;
  assistant: ChatAssistant | undefined;
}): (command: ChatCommand) => Promise<string> {
  async function beginConversation({ chatId, approver }: ChatCommand): Promise<string> {
    if (assistant === undefined) return help;
    assistant.stop(chatId);
    await assistant.forget({ chatId, approver });
    return "New conversation. The earlier one was deleted.";
  }

  async function stop({ chatId, approver }: ChatCommand): Promise<string> {
    if (assistant?.stop(chatId) === true)
      return "The answer was stopped. Nothing is paused. Send /stop again to pause all calls that need approval.";
    const pause = {
      scope: scopeOf(approver),
      by: approver,
      paused: true,
      channel: "telegram",
    } as const;
    await setPause({ tickets, audit }, pause);
    return "Paused. No call that needs approval runs, and no request can be approved. /start resumes.";
  }

  async function resume({ approver }: ChatCommand): Promise<string> {
    const resumed = await resumeAll(
      { tickets, audit },
      {
        mayResume: (scope) => mayDecide(approver, scope),
        scope: scopeOf(approver),
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

  return async (command) => {
    const [, name] = /^\/(stop|start|new)(?:@\w+)?(?:\s|$)/i.exec(command.text) ?? [];
    switch (name?.toLowerCase()) {
      case "new":
        return await beginConversation(command);
      case "stop":
        return await stop(command);
      case "start":
        return await resume(command);
      default:
        return assistant === undefined ? help : `${help} ${assistantHelp}`;
    }
  };
}

/** Returns whose calls an approver pauses and resumes. */
function scopeOf(approver: string): string {
  return approver === "operator" ? everybody : approver;
}
