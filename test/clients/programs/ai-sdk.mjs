import { generateText, stepCountIs } from "ai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { auth, createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";
import { signedIn } from "./sign-in.mjs";

const { MODEL_URL, SERVER_URL, TOKEN, COMMAND, ARGS, SIGN_IN } = process.env;
const transport = SERVER_URL
  ? { type: "http", url: SERVER_URL, ...(await credentials()) }
  : new Stdio({ command: COMMAND, args: JSON.parse(ARGS), env: process.env });

async function credentials() {
  if (SIGN_IN) return { authProvider: await signedIn(auth, SERVER_URL) };
  return { headers: { Authorization: `Bearer ${TOKEN}` } };
}

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
