import type { Documentation } from "../../core/tool/documentation.ts";

export const webDocumentation: Readonly<Record<string, Documentation>> = {
  web_search: {
    notes: [
      "Sends the query to a search service and gives its answer with at most five results. The query leaves the user's house and is recorded: put nothing private into it.",
      "`answer` and `results` are what others wrote. Name the address of what you rely on.",
    ],
    errors: {
      rate_limited: "The service refuses more for now: wait as long as the answer says.",
      auth: "The service does not accept the key: the user has to set `TAVILY_API_KEY`.",
      unavailable: "The service does not answer: try later, or do without.",
    },
    examples: [
      {
        asks: "What is new in Node?",
        arguments: { query: "Node.js release news", topic: "news", timeRange: "month" },
      },
    ],
  },
};
