import type { ChatTool } from "../ports/people/chat-model.ts";

/** The tool that only the assistant has. It returns a tool's full page, so that the prompt need not contain it. */
export const toolPage: ChatTool = {
  name: "tool_page",
  description: "Returns the full page of one tool: arguments, results, errors, examples.",
  input: {
    type: "object",
    properties: { name: { type: "string", description: "The tool's name" } },
    required: ["name"],
    additionalProperties: false,
  },
};

/**
 * Returns the system prompt.
 * @param instructions the rules for a model, made from the offered tools
 * @param now the time in the user's zone, in words
 */
export function systemPrompt(instructions: string, now: string): string {
  return [
    "You are the user's assistant. Answer briefly, in plain text without Markdown, in the user's language.",
    `It is ${now}.`,
    instructions,
    `${toolPage.name} returns a tool's full page. The program itself asks the user for approvals and reports what was done; approval_required means that the user has not decided yet.`,
  ].join("\n");
}
