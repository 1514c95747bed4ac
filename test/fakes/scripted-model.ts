import { MockLanguageModelV3 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Step = readonly [tool: string, args: Record<string, unknown>] | string;

/** Creates a model that answers each step with the next line of its script. `meanwhile` runs first. */
export function scripted(
  steps: readonly Step[],
  meanwhile: (step: number) => unknown = () => undefined,
) {
  let at = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const step = steps[at]!;
      meanwhile(at);
      at += 1;
      const isText = typeof step === "string";
      return {
        content: isText
          ? [{ type: "text", text: step }]
          : [
              {
                type: "tool-call",
                toolCallId: `call ${at}`,
                toolName: step[0],
                input: JSON.stringify(step[1]),
              },
            ],
        finishReason: { unified: isText ? "stop" : "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}
