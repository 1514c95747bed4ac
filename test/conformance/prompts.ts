import {
  type McpServer,
  acceptedContent,
  completable,
  inputRequired,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { pixel } from "./content-tools.ts";

const user = "user" as const;
const text = (words: string) => ({ role: user, content: { type: "text" as const, text: words } });

export function addPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "Says one thing" }, () => ({
    messages: [text("This is a simple prompt for testing.")],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Repeats its arguments",
      argsSchema: z.object({
        arg1: completable(z.string(), (typed) =>
          ["paris", "park", "party"].filter((word) => word.startsWith(typed)),
        ),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Embeds a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const embedded = "Embedded resource content for testing.";
      const resource = { uri, mimeType: "text/plain", text: embedded };
      return {
        messages: [
          { role: user, content: { type: "resource", resource } },
          text("Please process the embedded resource above."),
        ],
      };
    },
  );
  server.registerPrompt("test_prompt_with_image", { description: "Shows an image" }, () => ({
    messages: [
      { role: user, content: { type: "image", data: pixel, mimeType: "image/png" } },
      text("Please analyze the image above."),
    ],
  }));
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for its context" },
    (ctx) => {
      const answer = acceptedContent(
        ctx.mcpReq.inputResponses,
        "user_context",
        z.object({ context: z.string() }),
      );
      if (answer !== undefined) return { messages: [text(answer.context)] };
      const requestedSchema = {
        type: "object" as const,
        properties: { context: { type: "string" as const } },
        required: ["context"],
      };
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: "What context should the prompt use?",
            requestedSchema,
          }),
        },
      });
    },
  );
}
