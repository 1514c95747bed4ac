import { z } from "zod";
import { visible } from "../../core/effect.ts";
import { strangers } from "../../core/strangers.ts";
import { defineTool } from "../../ports/define-tool.ts";
import type { WebAnswer } from "../../ports/web-search.ts";
import { shownAnswer } from "./shown-answer.ts";

const domains = z.array(z.string().max(253)).max(20).optional();

export const webSearch = defineTool({
  name: "web_search",
  title: "Search the web",
  description: "Search the public web. The query leaves this house.",
  risk: "low",
  does: "reads",
  openWorld: true,
  needs: ["web"],
  input: z.strictObject({
    query: z.string().regex(/\S/, { error: "must not be blank" }).max(300).describe("What to find"),
    maxResults: z.int().min(1).max(5).default(5).describe("Results"),
    topic: z.enum(["general", "news", "finance"]).optional().describe("Kind of source"),
    timeRange: z.enum(["day", "week", "month", "year"]).optional().describe("How recent"),
    includeDomains: domains.describe("Only these"),
    excludeDomains: domains.describe("Not these"),
  }),
  output: z.object({
    answer: strangers(z.string()).describe("A short answer"),
    results: z
      .array(
        z.object({
          title: strangers(z.string()).describe("Title"),
          url: strangers(z.string()).describe("Address"),
          content: strangers(z.string()).describe("Excerpt"),
          publishedAt: strangers(z.string()).optional().describe("When it was published"),
        }),
      )
      .describe("Best first"),
    untrusted: z.literal(true).describe("Strangers wrote this"),
  }),
  execute: async ({ query, maxResults, topic, timeRange, ...domains }, { ports, signal }) => {
    const { includeDomains, excludeDomains } = domains;
    const found = await ports.web.search(
      {
        query,
        maxResults,
        ...(topic !== undefined && { topic }),
        ...(timeRange !== undefined && { timeRange }),
        ...(includeDomains !== undefined && { includeDomains }),
        ...(excludeDomains !== undefined && { excludeDomains }),
      },
      { signal },
    );
    const { answer, results } = shownAnswer(found, maxResults);
    return { answer, results: [...results], untrusted: true as const };
  },
  text: ({ answer, results }, { query }) => ({
    facts:
      results.length === 0 && answer === ""
        ? `The web search for "${visible(query)}" found nothing.`
        : `${results.length} result${results.length === 1 ? "" : "s"} for "${visible(query)}".`,
    untrusted: inWords({ answer, results }),
  }),
  // In clear, unlike other arguments: it left the house, and its owner may want to know what did.
  sentence: ({ query }, output) =>
    `${output === undefined ? "search" : "searched"} the web for "${visible(query)}"`,
});

function inWords({ answer, results }: Pick<WebAnswer, "answer"> & { results: readonly Shown[] }) {
  return [
    ...(answer === "" ? [] : [answer]),
    ...results.map(({ title, url, content, publishedAt }, index) =>
      [
        `${index + 1}. ${title}`,
        `${url}${publishedAt === undefined ? "" : ` (${publishedAt})`}`,
        content,
      ].join("\n"),
    ),
  ].join("\n\n");
}

interface Shown {
  title: string;
  url: string;
  content: string;
  publishedAt?: string | undefined;
}
