import {
  Agent,
  MCPServerStdio,
  MCPServerStreamableHttp,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
} from "@openai/agents";

setTracingDisabled(true);
const { MODEL_URL, SERVER_URL, TOKEN, COMMAND, ARGS } = process.env;
const name = "countersign";
const server = SERVER_URL
  ? new MCPServerStreamableHttp({
      name,
      url: SERVER_URL,
      requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
    })
  : new MCPServerStdio({ name, command: COMMAND, args: JSON.parse(ARGS), env: process.env });
await server.connect();
const agent = new Agent({ name: "A", mcpServers: [server], model: "stub-model" });
const modelProvider = new OpenAIProvider({ apiKey: "x", baseURL: `${MODEL_URL}/v1` });
const { finalOutput } = await new Runner({ modelProvider }).run(agent, "Tidy", { maxTurns: 30 });
console.log(finalOutput);
await server.close();
