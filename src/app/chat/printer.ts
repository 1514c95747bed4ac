import type { Answer } from "../../assistant/conversation.ts";
import type { Ticket } from "../../core/approvals/ticket.ts";
import { oneLine, withoutInvisible } from "../../core/shared/text/clean-text.ts";
import { visible } from "../../core/shared/text/visible.ts";
import { type ToolError, errorFields } from "../../core/tool/tool-error.ts";
import { ticketToJson, formatTicket } from "../../channels/terminal.ts";
import { withLocalTimes } from "../../channels/words.ts";
import { ownCommand } from "../platform/own-command.ts";
import { createScreenText, ownLines } from "./screen-text.ts";

/** The longest line about a call. Characters. */
const maxCallCharacters = 160;

/** Shows a conversation. All but `text` are the program's own lines. */
export interface ChatPrinter {
  text(piece: string): void;
  called(call: { tool: string; risk: string; args: unknown }): void;
  /** Shows that a call ended. For a person only reports of calls above low risk and failures are printed. */
  ended(call: {
    tool: string;
    isError: boolean;
    report?: string;
    error?: ToolError;
    text: string;
  }): void;
  asked(ticket: Ticket): void;
  said(line: string): void;
  answered(answer: Answer): void;
}

/**
 * Prints for a person. On a screen the answer is indented, so that it cannot look like a line of the program. Without a
 * terminal the answer alone goes to stdout.
 */
export function printForPerson({ isTerminal }: { isTerminal: boolean }): ChatPrinter {
  const { stdout, stderr } = process;
  // The program's lines may share the screen even if the input is a pipe.
  const screen = stdout.isTTY
    ? createScreenText({ columns: () => stdout.columns, canErase: stdout.hasColors() })
    : undefined;
  let isLineStart = true;
  const endLine = (): void => {
    if (screen?.end() ?? !isLineStart) stdout.write("\n");
    isLineStart = true;
  };
  const say = (line: string): void => {
    endLine();
    const to = isTerminal ? stdout : stderr;
    to.write(`${to.isTTY ? ownLines(line, () => to.columns) : line}\n`);
  };
  return {
    text: (piece) => {
      if (screen !== undefined) return void stdout.write(screen.add(piece));
      const clean = withoutInvisible(piece.replaceAll("\r", ""));
      if (clean === "") return;
      isLineStart = clean.endsWith("\n");
      stdout.write(clean);
    },
    called: ({ tool, risk, args }) => {
      const shown = visible(JSON.stringify(args) ?? "");
      say(oneLine(`> ${visible(tool)} (${risk}) ${shown}`, maxCallCharacters));
    },
    ended: ({ tool, isError, report, error, text }) => {
      if (report !== undefined) return say(`* Done: ${withLocalTimes(report)}.`);
      // The request was shown in full.
      if (!isError || error?.approval?.status === "pending") return;
      const line = (error?.message ?? text).replaceAll(/\s+/g, " ");
      say(oneLine(`! ${visible(tool)}: ${visible(line)}`, maxCallCharacters));
    },
    asked: (ticket) => {
      say(formatTicket(ticket, new Date()));
      if (!isTerminal) say(`To decide: ${ownCommand()} approvals`);
    },
    said: say,
    answered: (answer) => {
      endLine();
      const line = formatEnd(answer);
      if (line !== undefined) say(`! ${line}`);
    },
  };
}

/** Prints one JSON object per line. */
export function printJson(): ChatPrinter {
  const print = (value: Record<string, unknown>): void => console.log(JSON.stringify(value));
  return {
    text: (text) => print({ type: "text", text }),
    called: ({ tool, risk, args }) => print({ type: "call", tool, risk, arguments: args }),
    ended: ({ tool, isError, report, text }) =>
      print({
        type: "result",
        tool,
        isError,
        ...(report !== undefined && { report }),
        ...(isError && { text }),
      }),
    asked: (ticket) => print({ type: "approval", ...ticketToJson(ticket) }),
    said: (line) => print({ type: "note", text: line }),
    answered: ({ text, end, steps, error }) =>
      print({
        type: "answer",
        text,
        end,
        steps,
        ...(error !== undefined && { error: errorFields(error) }),
      }),
  };
}

/** Returns why an answer is not complete. */
export function formatEnd({ end, steps, error }: Answer): string | undefined {
  switch (end) {
    case "complete":
      return undefined;
    case "empty":
      return "The model gave no answer.";
    case "stopped":
      return "Stopped.";
    case "steps":
      return `The answer ended after ${steps} steps (ASSISTANT_MAX_STEPS). To continue, ask again.`;
    case "long":
      return "The answer reached the model's limit and is not complete.";
    case "refused":
      return "The model refused to answer.";
    case "cut":
      return "The model's service ended the answer early. It is not complete.";
    case "failed": {
      if (error === undefined) return "The model's service failed. The answer is not complete.";
      const wait =
        error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} s.`];
      return [error.message, ...(error.hint === undefined ? [] : [error.hint]), ...wait].join(" ");
    }
  }
}
