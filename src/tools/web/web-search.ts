import { z } from "zod";
import { visible } from "../../core/shared/text/visible.ts";
import { untrustedText } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import type { WebAnswer } from "../../ports/web-search.ts";
import { charactersAtMost, domainsAtMost, searchedDomains } from "./searched-domains.ts";
import { shownAnswer } from "./shown-answer.ts";

const domains = z.array(z.string().max(253)).max(domainsAtMost).optional();

export const webSearch = defineTool({
  name: "web_search",
  title: "Search the web",
  description: "Search the public web. The query leaves this server.",
  risk: "low",
  operation: "reads",
  openWorld: true,
  reads: "public",
  sends: true,
  needs: ["web"],
  input: z.strictObject({
    query: z
      .string()
      // Runs of spaces could carry data that a person does not see.
      .overwrite((query) => query.replace(/\s+/g, " ").trim())
      .regex(/\S/, { error: "must not be blank" })
      .max(charactersAtMost)
      .describe("What to find"),
    maxResults: z.int().min(1).max(5).default(5).describe("Results"),
    topic: z.enum(["general", "news", "finance"]).optional().describe("Kind of source"),
    timeRange: z.enum(["day", "week", "month", "year"]).optional().describe("How recent"),
    includeDomains: domains.describe("Only these"),
    excludeDomains: domains.describe("Not these"),
  }),
  output: z.object({
    answer: untrustedText(z.string()).describe("A short answer"),
    results: z
      .array(
        z.object({
          title: untrustedText(z.string()).describe("Title"),
          url: untrustedText(z.string()).describe("Address"),
          content: untrustedText(z.string()).describe("Excerpt"),
          publishedAt: untrustedText(z.string()).optional().describe("When it was published"),
        }),
      )
      .describe("Best first"),
    untrusted: z.literal(true).describe("Untrusted text"),
  }),
  execute: async ({ query, maxResults, topic, timeRange, ...given }, { ports, signal }) => {
    const { includeDomains, excludeDomains } = await searchedDomains(query, given);
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
    untrusted: formatAnswer({ answer, results }),
  }),
  gives: ({ answer, results }) => [
    {
      kind: "web",
      id: "answer",
      writtenBy: "other",
      verified: false,
      texts: [answer],
    },
    ...results.map(({ title, url, content }) => ({
      kind: "web" as const,
      id: url,
      writtenBy: "other" as const,
      verified: false,
      texts: [title, content],
    })),
  ],
  outgoing: ({ query, includeDomains = [], excludeDomains = [] }) =>
    [query, ...includeDomains, ...excludeDomains].join("\n"),
  // The record has these arguments in clear text, because they were sent out and the user may want to read them.
  mentions: ["query", "maxResults", "topic", "timeRange", "includeDomains", "excludeDomains"],
  describe: (args, output) =>
    `${output === undefined ? "search" : "searched"} the web for "${visible(args.query)}"${alsoLeft(args)}`,
});

/** Describes the other values of the caller that are sent with the query. */
function alsoLeft(args: {
  maxResults: number;
  topic?: string | undefined;
  timeRange?: string | undefined;
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
}): string {
  const { maxResults, topic, timeRange, includeDomains = [], excludeDomains = [] } = args;
  const parts = [
    ...(topic === undefined ? [] : [topic]),
    ...(timeRange === undefined ? [] : [`of the last ${timeRange}`]),
    ...(maxResults === 5 ? [] : [`${maxResults} at most`]),
    ...(includeDomains.length === 0 ? [] : [`only on ${includeDomains.map(visible).join(", ")}`]),
    ...(excludeDomains.length === 0 ? [] : [`not on ${excludeDomains.map(visible).join(", ")}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

function formatAnswer({
  answer,
  results,
}: Pick<WebAnswer, "answer"> & { results: readonly Shown[] }) {
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
