import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { auth } from "@modelcontextprotocol/client";
import { signedIn } from "./sign-in.mjs";

const { MODEL_URL, SERVER_URL, TOKEN, COMMAND, ARGS, SIGN_IN } = process.env;
const countersign = SERVER_URL
  ? { url: new URL(SERVER_URL), ...(await credentials()) }
  : { command: COMMAND, args: JSON.parse(ARGS), env: process.env };

async function credentials() {
  if (SIGN_IN) return { authProvider: await signedIn(auth, SERVER_URL) };
  return { requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } } };
}

const mcp = new MCPClient({ servers: { countersign } });
const tools = await (mcp.listTools ?? mcp.getTools).call(mcp);
const provider = createOpenAICompatible({ name: "stub", baseURL: `${MODEL_URL}/v1`, apiKey: "x" });
const agent = new Agent({
  name: "a",
  id: "a",
  instructions: "Tidy",
  model: provider("stub-model"),
  tools,
});
const { text } = await agent.generate("Tidy", { maxSteps: 30 });
console.log(text);
await mcp.disconnect();
