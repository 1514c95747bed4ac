import type { LanguageModel } from "ai";
import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import type { Secret } from "../../core/shared/secret.ts";
import type { TextModel, TextRequest } from "../../ports/mail/text-model.ts";
import { boundedFetch, EndlessAnswer } from "./bounded-fetch.ts";
import { modelError, ModelFailure } from "./errors.ts";

/** Characters of an error answer that are logged. */
const maxLoggedCharacters = 300;

export interface TextModelSettings {
  provider: "anthropic" | "openai-compatible";
  model: string;
  /** A local server may need none. */
  apiKey: Secret | undefined;
  /** Undefined for the provider's own. */
  baseUrl: string | undefined;
  timeoutMs: number;
}

/**
 * Creates a model with the AI SDK, which is loaded with the first request. The SDK's retries are off, because the
 * caller decides
 * about cost and time.
 */
export function createTextModel(settings: TextModelSettings): TextModel {
  const { provider, apiKey, timeoutMs } = settings;
  /**
   * Reasoning models accept no temperature and another name for the length of the answer. Learned from the first
   * refusal.
   */
  let isPlain = false;

  async function once({ instructions, text, maxTokens }: TextRequest, signal: AbortSignal) {
    const { generateText } = await import("ai");
    // The SDK's warnings would go to stdout, which may carry a protocol.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const answer = await generateText({
      model: await languageModel(settings, isPlain),
      system: instructions,
      prompt: text,
      maxOutputTokens: maxTokens,
      ...(!isPlain && { temperature: 0 }),
      maxRetries: 0,
      abortSignal: signal,
    });
    return answer.text;
  }

  async function write(request: TextRequest, caller?: AbortSignal): Promise<string> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = caller === undefined ? deadline : AbortSignal.any([caller, deadline]);
    try {
      // Node's error would quote a key that is not a valid header value.
      if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey.reveal()))
        throw new ModelFailure(401);
      return await once(request, signal).catch((error: unknown) => {
        if (isPlain || !refusesParameters(error)) throw error;
        isPlain = true;
        return once(request, signal);
      });
    } catch (error) {
      const failure = error instanceof ModelFailure ? error : failureOf(error, apiKey, signal);
      throw modelError(caller?.aborted ? new ModelFailure("stopped") : failure);
    }
  }

  return {
    write: (request, { signal } = {}) => write(request, signal),
    check: async () => {
      const instructions = `This is a test of ${provider}. Answer with the word ok.`;
      await write({ instructions, text: "ok?", maxTokens: 16 });
    },
  };
}

async function languageModel(
  { provider, model, apiKey, baseUrl }: TextModelSettings,
  isPlain: boolean,
): Promise<LanguageModel> {
  const key = apiKey === undefined ? {} : { apiKey: apiKey.reveal() };
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const baseURL = baseUrl ?? "https://api.anthropic.com/v1";
    return createAnthropic({ ...key, baseURL, fetch: boundedFetch })(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const baseURL = baseUrl ?? "https://api.openai.com/v1";
  return createOpenAICompatible({
    ...key,
    name: "summaries",
    baseURL,
    fetch: boundedFetch,
    ...(isPlain && {
      transformRequestBody: ({ max_tokens: most, ...body }) => ({
        ...body,
        max_completion_tokens: most as unknown,
      }),
    }),
  })(model);
}

/** Reads a field of the SDK's error. Checking its class would load the SDK. */
function field(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

function refusesParameters(error: unknown): boolean {
  const said = field(error, "responseBody");
  return (
    field(error, "statusCode") === 400 &&
    typeof said === "string" &&
    /temperature|max_tokens/.test(said)
  );
}

function failureOf(error: unknown, apiKey: Secret | undefined, signal: AbortSignal): ModelFailure {
  if (causes(error).some((cause) => cause instanceof EndlessAnswer))
    return new ModelFailure("endless");
  if (signal.aborted) return new ModelFailure("late");
  const status = field(error, "statusCode");
  const said = field(error, "responseBody");
  const message = typeof said === "string" && said !== "" ? said : field(error, "message");
  const words = String(message).replaceAll(apiKey?.reveal() ?? "\0", "[secret]");
  const cause = new Error(words.slice(0, maxLoggedCharacters));
  const isJunk = causes(error).some(({ name }) => /JSONParse|TypeValidation/.test(name));
  // A truncated answer with a success status has a status too.
  if (typeof status !== "number" || status < 300)
    return new ModelFailure(isJunk ? "junk" : "unreachable", { cause });
  const wait = field(field(error, "responseHeaders"), "retry-after");
  return new ModelFailure(status, {
    retryAfterSeconds: retryAfterSeconds(typeof wait === "string" ? wait : null),
    cause,
  });
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 10; next = next.cause)
    chain.push(next);
  return chain;
}
