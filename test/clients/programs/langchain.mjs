import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { createAgent } from "langchain";
import { signedIn } from "./sign-in.mjs";

const { MODEL_URL, SERVER_URL, TOKEN, COMMAND, ARGS, SIGN_IN } = process.env;
const countersign = SERVER_URL
  ? { transport: "http", url: SERVER_URL, ...(await credentials()) }
  : { transport: "stdio", command: COMMAND, args: JSON.parse(ARGS), env: process.env };

async function credentials() {
  if (SIGN_IN) return { authProvider: await signedIn(auth, SERVER_URL) };
  return { headers: { Authorization: `Bearer ${TOKEN}` } };
}

const client = new MultiServerMCPClient({ mcpServers: { countersign } });
const model = new ChatOpenAI({
  model: "stub-model",
  apiKey: "x",
  configuration: { baseURL: `${MODEL_URL}/v1` },
  useResponsesApi: false,
});
const agent = createAgent({ model, tools: await client.getTools() });
const { messages } = await agent.invoke(
  { messages: [{ role: "user", content: "Tidy" }] },
  { recursionLimit: 60 },
);
console.log(messages.at(-1).content);
await client.close();
