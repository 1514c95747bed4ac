import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTextModel, type TextModelSettings } from "../../src/adapters/llm/text-model.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { type Answer, modelKey, type Protocol, reply, startModel } from "../servers/text-model.ts";

const request = { instructions: "Be short.", text: "A private mail.", maxTokens: 100 };

async function modelAt(
  answer: Answer,
  {
    protocol = "openai-compatible" as Protocol,
    ...more
  }: Partial<TextModelSettings> & {
    protocol?: Protocol;
  } = {},
) {
  const server = await startModel(protocol, answer);
  onTestFinished(() => server.close());
  const model = createTextModel({
    provider: protocol,
    model: "small",
    apiKey: new Secret(modelKey),
    baseUrl: server.url,
    timeoutMs: 5_000,
    ...more,
  });
  return { server, model };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    reply(response, { error: { type: "x", message: `no, ${modelKey}` } }, code, headers);

describe.each<Protocol>(["openai-compatible", "anthropic"])("a model over %s", (protocol) => {
  it.each([
    [400, "invalid_input"],
    [402, "rate_limited"],
    [403, "auth"],
    [404, "not_configured"],
    [413, "invalid_input"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [503, "unavailable"],
    [529, "unavailable"],
  ])("that answers %i fails as %s after one request", async (code, kind) => {
    const { server, model } = await modelAt(status(code, { "retry-after": "7" }), { protocol });
    const failure = await model.write(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind, retryAfterSeconds: 7 });
    expect(server.requests).toHaveLength(1);
    const everything = inspect(failure, { depth: 10 });
    expect(everything).not.toContain(modelKey);
    expect(everything).not.toContain("A private mail");
  });

  it("with a retry time is read correctly", async () => {
    const at = new Date(Date.now() + 40_000).toUTCString();
    const { model } = await modelAt(status(429, { "retry-after": at }), { protocol });
    const failure = await model.write(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "rate_limited" });
    const { retryAfterSeconds } = failure as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(5);
    expect(retryAfterSeconds).toBeLessThanOrEqual(40);
  });

  it("answers with text, and `check` sends a request", async () => {
    const { server, model } = await modelAt(() => "Fine.", { protocol });
    expect(await model.write(request)).toBe("Fine.");
    expect(server.requests[0]!.body).toMatchObject({ max_tokens: 100 });
    await expect(model.check()).resolves.toBeUndefined();
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ["internal", "no JSON", (response) => response.end("<html>")],
    ["internal", "another JSON", (response) => reply(response, { hello: 1 })],
    ["internal", "10 MB", (response) => response.end(`"${"x".repeat(10_000_000)}"`)],
    [
      "unavailable",
      "half an answer",
      (response) => {
        response.writeHead(200, { "content-length": "1000" }).write("{");
        setImmediate(() => response.destroy());
      },
    ],
    [
      "not_configured",
      "another address",
      (response) => {
        response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
      },
    ],
  ])("fails as %s after %s", async (kind, _what, misbehave) => {
    const { model } = await modelAt((_, response) => misbehave(response), { protocol });
    await expect(model.write(request)).rejects.toMatchObject({ kind });
  });

  it("fails after a valid answer of 10 MB", async () => {
    const { model } = await modelAt(() => "x".repeat(10_000_000), { protocol });
    await expect(model.write(request)).rejects.toMatchObject({ kind: "internal" });
  });

  it("without an answer ends at the timeout or when the caller cancels", async () => {
    const { model } = await modelAt(() => undefined, { protocol, timeoutMs: 100 });
    await expect(model.write(request)).rejects.toMatchObject({ kind: "timeout" });
    const stop = new AbortController();
    const stopped = model.write(request, { signal: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ kind: "cancelled" });
  });

  it("with an invalid key is refused without showing the key", async () => {
    const { model } = await modelAt(() => "x", { protocol, apiKey: new Secret("sk-\u00e9\n1") });
    const failure = await model.write(request).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "auth" });
    expect(inspect(failure, { depth: 10 })).not.toContain("sk-");
  });
});

it("that rejects temperature is asked again without it, and from then on without it", async () => {
  const { server, model } = await modelAt(({ body }, response) => {
    if (!Object.hasOwn(body as object, "max_tokens")) return "Thought about it.";
    const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    return reply(response, { error: { message } }, 400);
  });
  expect(await model.write(request)).toBe("Thought about it.");
  expect(await model.write(request)).toBe("Thought about it.");
  expect(server.requests).toHaveLength(3);
  expect(server.requests.at(-1)!.body).toMatchObject({ max_completion_tokens: 100 });
  expect(server.requests.at(-1)!.body).not.toHaveProperty("temperature");
});

it("without a server is unreachable", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { model } = await modelAt(() => "x", { baseUrl: `http://127.0.0.1:${port}/v1` });
  await expect(model.write(request)).rejects.toMatchObject({ kind: "unavailable" });
});
