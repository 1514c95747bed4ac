import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const { MODEL_URL, SERVER_URL, TOKEN, COMMAND, ARGS } = process.env;
const countersign = SERVER_URL
  ? { transport: "http", url: SERVER_URL, headers: { Authorization: `Bearer ${TOKEN}` } }
  : { transport: "stdio", command: COMMAND, args: JSON.parse(ARGS), env: process.env };
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
