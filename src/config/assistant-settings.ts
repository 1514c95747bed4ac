import * as v from "./kinds.ts";
import { setting } from "./kinds.ts";

export const assistant = {
  ASSISTANT_PROVIDER: setting(
    v.oneOf("anthropic", "openai-compatible"),
    "The kind of the assistant's model service. Ollama is `openai-compatible`.",
  ),
  ASSISTANT_MODEL: setting(v.text, "The model's name. The model must be able to call tools."),
  ASSISTANT_API_KEY: setting(
    v.secret,
    "The service's key. A local `openai-compatible` server may not need one.",
  ),
  ASSISTANT_BASE_URL: setting(
    v.httpUrl,
    "The service's address; for Ollama `http://127.0.0.1:11434/v1`.",
    undefined,
    "the provider's own",
  ),
  ASSISTANT_TELEGRAM: setting(
    v.flag,
    "Let the people in `TELEGRAM_APPROVER_IDS` talk to the assistant in their private chats.",
    "false",
  ),
  // A model that calls tools in a loop costs money with every step.
  ASSISTANT_MAX_STEPS: setting(
    v.integer(1, 50),
    "The limit on requests to the model for one answer. Each step may call tools.",
    "5",
  ),
  // A local model may read a long conversation for minutes before it writes the first word.
  ASSISTANT_TIMEOUT_MS: setting(
    v.integer(1_000, 600_000),
    "The time in milliseconds after which a request to a silent model service fails.",
    "60000",
  ),
};
