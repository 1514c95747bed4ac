import { generateText, stepCountIs } from "ai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";

const { MODEL_URL, SERVER_URL, TOKEN, COMMAND, ARGS } = process.env;
const transport = SERVER_URL
  ? { type: "http", url: SERVER_URL, headers: { Authorization: `Bearer ${TOKEN}` } }
  : new Stdio({ command: COMMAND, args: JSON.parse(ARGS), env: process.env });
const client = await createMCPClient({ transport });
const provider = createOpenAICompatible({ name: "stub", baseURL: `${MODEL_URL}/v1`, apiKey: "x" });
const { text } = await generateText({
  model: provider("stub-model"),
  tools: await client.tools(),
  prompt: "Tidy my files",
  stopWhen: stepCountIs(30),
});
console.log(text);
await client.close();
