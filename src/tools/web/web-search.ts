import { z } from "zod";
import { defineContract } from "../../ports/define-tool.ts";

const domains = z.array(z.string().max(253)).max(20).optional();

export const webSearch = defineContract({
  name: "web_search",
  title: "Search the web",
  description: "Search the public web. The query leaves this house.",
  risk: "low",
  does: "reads",
  openWorld: true,
  needs: ["web"],
  input: z.strictObject({
    query: z.string().min(1).max(300).describe("What to find"),
    maxResults: z.int().min(1).max(5).default(5).describe("Results"),
    topic: z.enum(["general", "news", "finance"]).optional().describe("Kind of source"),
    timeRange: z.enum(["day", "week", "month", "year"]).optional().describe("How recent"),
    includeDomains: domains.describe("Only these"),
    excludeDomains: domains.describe("Not these"),
  }),
  output: z.object({
    answer: z.string().describe("A short answer"),
    results: z
      .array(
        z.object({
          title: z.string().describe("Title"),
          url: z.string().describe("Address"),
          content: z.string().describe("Excerpt"),
          publishedAt: z.string().optional().describe("When it was published"),
        }),
      )
      .describe("Best first"),
    untrusted: z.literal(true).describe("Strangers wrote this"),
  }),
});
