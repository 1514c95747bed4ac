import type { TestContext } from "vitest";
import { type Reply, startChatModel } from "../servers/chat-model.ts";
import { modelKey } from "../servers/text-model.ts";
import { newHome } from "./home.ts";

/** Both kinds of model services. */
export const protocols = ["anthropic", "openai-compatible"] as const;

/** Starts a scripted model service, and makes a home that uses it. */
export async function setUp(
  t: TestContext,
  protocol: (typeof protocols)[number],
  script: readonly Reply[] | ((index: number) => Reply),
  env: Record<string, string> = {},
) {
  const reply = (index: number): Reply =>
    typeof script === "function" ? script(index) : script[Math.min(index, script.length - 1)]!;
  const model = await startChatModel(protocol, (_, index) => reply(index));
  t.onTestFinished(() => model.close());
  const settings = {
    ASSISTANT_PROVIDER: protocol,
    ASSISTANT_MODEL: "scripted-model",
    ASSISTANT_API_KEY: modelKey,
    ASSISTANT_BASE_URL: model.url,
  };
  return { model, home: newHome(t, { ...settings, ...env }) };
}
