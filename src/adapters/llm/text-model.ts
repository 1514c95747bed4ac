import type { TextModel, TextRequest } from "../../ports/mail/text-model.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { type ModelPurpose, modelError, ModelFailure } from "./errors.ts";
import { failureOf, assertHeaderValue } from "./failure-of.ts";
import { languageModel, type ModelSettings } from "./language-model.ts";
import { fieldAt } from "../../core/shared/data.ts";

export interface TextModelSettings extends ModelSettings {
  timeoutMs: number;
}

const purpose: ModelPurpose = { settings: "SUMMARY", nothing: "No summary was written." };

/**
 * Creates a model with the AI SDK, which is loaded with the first request. The SDK's retries are off, because the
 * caller decides about cost and time.
 */
export function createTextModel(settings: TextModelSettings): TextModel {
  const { provider, apiKey, timeoutMs } = settings;
  /**
   * Reasoning models accept no temperature, and another parameter for the length of the answer. This is learned from
   * the first refusal.
   */
  let isPlain = false;

  async function once({ instructions, text, maxTokens }: TextRequest, signal: AbortSignal) {
    const { generateText } = await import("ai");
    // The SDK's warnings would go to stdout, which may carry a protocol.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const answer = await generateText({
      model: await languageModel(settings, { fetch: boundedFetch, isPlain }),
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
      assertHeaderValue(apiKey);
      return await once(request, signal).catch((error: unknown) => {
        if (isPlain || !refusesParameters(error)) throw error;
        isPlain = true;
        return once(request, signal);
      });
    } catch (error) {
      const failure = failureOf(error, apiKey, { isLate: signal.aborted });
      throw modelError(caller?.aborted ? new ModelFailure("stopped") : failure, purpose);
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

function refusesParameters(error: unknown): boolean {
  const said = fieldAt(error, "responseBody");
  return (
    fieldAt(error, "statusCode") === 400 &&
    typeof said === "string" &&
    /temperature|max_tokens/.test(said)
  );
}
