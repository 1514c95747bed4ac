import { pathToFileURL } from "node:url";
import { anthropic } from "@ai-sdk/anthropic";
import { generateText, type LanguageModel, stepCountIs } from "ai";
import { countersignTools } from "countersign/ai-sdk";

/** Answers one request with Countersign's tools, in at most five steps. */
export async function assist(model: LanguageModel, prompt: string): Promise<string> {
  const countersign = await countersignTools({ client: "example assistant" });
  try {
    const { text } = await generateText({
      model,
      tools: countersign.tools,
      system: countersign.instructions,
      prompt,
      stopWhen: stepCountIs(5),
    });
    return text;
  } finally {
    await countersign.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(await assist(anthropic("claude-sonnet-4-5"), process.argv[2] ?? "What is new?"));
}
