import type { wrapLanguageModel } from "ai";
import type { Secret } from "../../core/shared/secret.ts";

/** A model of the SDK itself, not the name of one. */
type LanguageModel = Parameters<typeof wrapLanguageModel>[0]["model"];

export interface ModelSettings {
  provider: "anthropic" | "openai-compatible";
  model: string;
  /** A local server may need none. */
  apiKey: Secret | undefined;
  /** Undefined for the provider's own address. */
  baseUrl: string | undefined;
}

/**
 * Loads the provider's package and creates the model.
 * @param options.isPlain sends the parameter name that reasoning models accept for the length of the answer
 */
export async function languageModel(
  { provider, model, apiKey, baseUrl }: ModelSettings,
  { fetch, isPlain = false }: { fetch: typeof globalThis.fetch; isPlain?: boolean },
): Promise<LanguageModel> {
  const key = apiKey === undefined ? {} : { apiKey: apiKey.reveal() };
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const baseURL = baseUrl ?? "https://api.anthropic.com/v1";
    return createAnthropic({ ...key, baseURL, fetch })(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const baseURL = baseUrl ?? "https://api.openai.com/v1";
  return createOpenAICompatible({
    ...key,
    name: "countersign",
    baseURL,
    fetch,
    ...(isPlain && {
      transformRequestBody: ({ max_tokens: most, ...body }) => ({
        ...body,
        max_completion_tokens: most as unknown,
      }),
    }),
  })(model);
}
