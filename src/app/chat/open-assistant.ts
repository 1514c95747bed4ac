import { createChatHistory } from "../../adapters/libsql/chat/chat-history.ts";
import { createChatModel } from "../../adapters/llm/chat-model.ts";
import { type Assistant, createAssistant, type ToolAnswer } from "../../assistant/conversation.ts";
import { systemPrompt, toolPage } from "../../assistant/system-prompt.ts";
import type { Config } from "../../config.ts";
import type { OpenTicket } from "../../core/approvals/ticket.ts";
import { randomId } from "../../core/shared/digest.ts";
import { inMachineZone, machineZone } from "../../core/shared/time-zone.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { aiSdkSchema } from "../../export/providers.ts";
import type { ChatCall } from "../../ports/people/chat-model.ts";
import type { DirectCalls } from "../compose/direct-calls.ts";
import type { ChatPrinter } from "./printer.ts";
import { fieldAt } from "../../core/shared/data.ts";

export interface OpenedAssistant {
  /** Prepares the model's library for the first question. */
  prepare(): void;
  /** Begins the turn of the user's next message, because budgets count per turn. */
  newTurn(): void;
  assistant: Assistant;
}

/** The place that shows the assistant's calls and lets a person decide. */
export interface AssistantPlace {
  printer: Pick<ChatPrinter, "called" | "ended" | "asked">;
  /** Returns whether the request was decided. Undefined if decisions are not possible here. */
  decideHere: ((ticket: OpenTicket, signal: AbortSignal) => Promise<boolean>) | undefined;
}

/**
 * Opens the assistant.
 * @throws ToolError `not_configured`
 */
export function openAssistant(
  config: Config,
  calls: DirectCalls,
  { printer, decideHere }: AssistantPlace,
): OpenedAssistant {
  const settings = requireAssistant(config);
  let turn = randomId("turn");
  const format = inMachineZone({ dateStyle: "full", timeStyle: "short" });

  async function call({ tool, args }: ChatCall, signal: AbortSignal): Promise<ToolAnswer> {
    if (tool === toolPage.name) return pageOf(calls, args);
    const known = calls.tools.find(({ name }) => name === tool);
    printer.called({ tool, risk: known?.offeredRisk ?? "unknown", args });
    const answer = await calls.call(tool, args, {
      signal,
      turn,
      onWaiting: async (ticket) => {
        if (decideHere !== undefined) return await decideHere(ticket, signal);
        printer.asked(ticket);
        return true;
      },
    });
    printer.ended({ tool, ...answer });
    return answer;
  }

  const model = createChatModel(settings);
  return {
    prepare: () => void model.prepare(),
    newTurn: () => {
      turn = randomId("turn");
    },
    assistant: createAssistant({
      model,
      history: createChatHistory(calls.runtime.stores.database),
      maxSteps: settings.maxSteps,
      system: () => systemPrompt(calls.instructions, `${format(new Date())} (${machineZone()})`),
      tools: () => [
        ...calls.tools.map((tool) => ({
          name: tool.name,
          description: tool.summary,
          input: { ...aiSdkSchema(tool) },
        })),
        toolPage,
      ],
      call,
    }),
  };
}

/**
 * Returns the assistant's settings.
 * @throws ToolError `not_configured`
 */
export function requireAssistant({ assistant }: Config): NonNullable<Config["assistant"]> {
  if (assistant !== undefined) return assistant;
  throw new ToolError(
    "not_configured",
    "The assistant is not configured. Nothing was asked. Set ASSISTANT_PROVIDER and ASSISTANT_MODEL.",
  );
}

function pageOf({ tools }: DirectCalls, args: unknown): ToolAnswer {
  const name = fieldAt(args, "name");
  const tool = tools.find((known) => known.name === name);
  return tool === undefined
    ? { text: "not_found: There is no such tool.", isError: true }
    : { text: tool.documentation, isError: false };
}
