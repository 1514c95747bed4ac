import { expect, vi } from "vitest";
import { z } from "zod";

/** The schema is strict: every field that reaches a client is in the contract. */
const errorFields = z.strictObject({
  kind: z.string(),
  retryable: z.boolean(),
  sideEffects: z.enum(["none", "unknown"]),
  retryAfterSeconds: z.number().optional(),
  approval: z
    .strictObject({
      id: z.string(),
      tool: z.string(),
      status: z.string(),
      fingerprint: z.string().regex(/^[A-Z2-7]{4}-[A-Z2-7]{4}$/),
      expiresAt: z.iso.datetime(),
      answered: z.string().optional(),
      url: z.string().optional(),
    })
    .optional(),
});

const resourceLink = z.strictObject({
  type: z.literal("resource_link"),
  uri: z.string(),
  name: z.string(),
  title: z.string(),
  mimeType: z.string(),
  size: z.number(),
});

const callResult = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]).rest(resourceLink),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  _meta: z
    .object({
      "dev.countersign/error": errorFields.optional(),
      "dev.countersign/sources": z.array(z.record(z.string(), z.unknown())).optional(),
    })
    .optional(),
});

/** A result of `tools/call` as the tests look at it. */
export interface Answer {
  isError: boolean;
  text: string;
  links: readonly z.output<typeof resourceLink>[];
  /** The tool's output: the structured content without markers, notices and report. */
  output: Readonly<Record<string, unknown>> | undefined;
  notices: readonly string[];
  error: z.output<typeof errorFields> | undefined;
  report: string | undefined;
  sources: readonly Readonly<Record<string, unknown>>[] | undefined;
}

const structured = z.looseObject({
  notices: z.array(z.string()),
  report: z
    .string()
    .regex(/^Tell the user: .+\.$/s)
    .optional(),
});

/** Returns the same value without the markers around its fields, as a program reads it. */
function withoutMarkers(value: unknown): unknown {
  if (typeof value === "string") {
    return (
      /^\[untrusted ([a-f]{3}\d{3})\] ([\s\S]*) \[end of untrusted \1\]$/.exec(value)?.[2] ?? value
    );
  }
  if (Array.isArray(value)) return value.map(withoutMarkers);
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, withoutMarkers(field)]),
      )
    : value;
}

/** Parses a result, and checks the rules for every result, including the contract of errors. */
export function answerOf(result: unknown): Answer {
  const { isError, content, structuredContent, _meta: meta } = callResult.parse(result);
  const error = meta?.["dev.countersign/error"];
  if (isError !== (error !== undefined)) throw new Error("an error without its fields");
  if (isError === (structuredContent !== undefined)) {
    throw new Error("structured content belongs to a success, and to nothing else");
  }
  const [{ text }, ...links] = content;
  const { notices, report, ...output } = structured.parse(structuredContent ?? { notices: [] });
  for (const line of [...notices.filter((one) => !one.startsWith("[untrusted")), report ?? ""])
    expect(text).toContain(line);
  if (/^\s+at /m.test(text)) throw new Error(`a stack trace: ${text}`);
  return {
    isError,
    text,
    links,
    output: structuredContent && z.record(z.string(), z.unknown()).parse(withoutMarkers(output)),
    notices,
    error,
    sources: meta?.["dev.countersign/sources"],
    report: report?.replace(/^Tell the user: ([\s\S]*)\.$/, "$1"),
  };
}

/**
 * Returns the answer to a call that was approved at another approval channel. The process that asked may be running it
 * at the same moment and then says so. In that case the call is made again.
 */
export async function afterRun(call: () => Promise<Answer>): Promise<Answer> {
  return await vi.waitFor(async () => {
    const answer = await call();
    expect(answer.error?.approval?.status).not.toBe("running");
    return answer;
  }, 30_000);
}

/** Returns the approval request that an error names. */
export function approvalOf(answer: Answer) {
  if (answer.error?.approval === undefined) throw new Error(`no request in: ${answer.text}`);
  return answer.error.approval;
}
