import { describe, it } from "vitest";
import { createChatModel } from "../../src/adapters/llm/chat-model.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { startChatModel } from "../servers/chat-model.ts";
import { modelKey, type Protocol } from "../servers/text-model.ts";

const input = { type: "object", properties: {} };
const request = {
  system: "Be short.",
  messages: [{ role: "user" as const, text: "Hello?" }],
  tools: [{ name: "list_files", description: "Lists files.", input }],
};

describe.each<Protocol>(["openai-compatible", "anthropic"])("a chat model over %s", (protocol) => {
  // The first answer of a process was late, because the SDK compiled its code between the model's token and ours.
  it("prepares without a request, and its first answer is the service's own", async (t) => {
    const server = await startChatModel(protocol, () => ({
      text: ["Well, ", "hello."],
      calls: [["list_files", { prefix: "a" }]],
    }));
    t.onTestFinished(() => server.close());
    const model = createChatModel({
      provider: protocol,
      model: "scripted",
      apiKey: new Secret(modelKey),
      baseUrl: server.url,
      timeoutMs: 5_000,
    });
    await model.prepare();
    t.expect(server.requests).toEqual([]);
    const heard: string[] = [];
    const { signal } = new AbortController();
    const step = await model.step(request, { signal, onText: (text) => heard.push(text) });
    t.expect(heard).toEqual(["Well, ", "hello."]);
    t.expect(step.calls).toMatchObject([{ tool: "list_files", args: { prefix: "a" } }]);
    t.expect(server.requests.map(({ heard: [question] }) => question)).toEqual(["Hello?"]);
  });

  // The check of a service that sends only signs of life took five times as long.
  it("is checked within its time limit, although the service sends signs of life", async (t) => {
    const server = await startChatModel(protocol, () => ({ text: ["o"], stops: "pings" }));
    t.onTestFinished(() => server.close());
    const timeoutMs = 4_000;
    const model = createChatModel({
      provider: protocol,
      model: "scripted",
      apiKey: new Secret(modelKey),
      baseUrl: server.url,
      timeoutMs,
    });
    await model.prepare();
    const begun = performance.now();
    await t.expect(model.check()).rejects.toThrow("The model did not answer in time.");
    t.expect(performance.now() - begun).toBeLessThan(4 * timeoutMs);
  });
});
