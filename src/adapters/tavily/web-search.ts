import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../core/shared/log.ts";
import type { Secret } from "../../core/shared/secret.ts";
import type { WebAnswer, WebQuery, WebResult, WebSearch } from "../../ports/web-search.ts";
import { isTransient, searchError, SearchFailure } from "./errors.ts";
import { request } from "./request.ts";
import { fieldAt } from "../../core/shared/data.ts";

/** Time limit for both attempts together. An advanced answer takes 5 to 10 s, and a tool has 30 s. */
const callTimeoutMs = 20_000;
const retryPauseMs = 300;

export interface TavilySettings {
  apiKey: Secret;
  baseUrl: string;
  log: Log;
  /** For tests. */
  timeoutMs?: number;
}

/** Creates the search through Tavily (docs.tavily.com, POST /search). The first search connects. */
export function createTavilySearch(settings: TavilySettings): WebSearch {
  const { apiKey, baseUrl, log, timeoutMs = callTimeoutMs } = settings;

  /** Makes at most two attempts, the second only after a temporary failure, because a search costs money and time. */
  async function ask(path: string, body: unknown, caller?: AbortSignal): Promise<unknown> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = caller === undefined ? deadline : AbortSignal.any([caller, deadline]);
    const call = { url: `${baseUrl}${path}`, apiKey, body, signal };
    try {
      return await request(call).catch(async (error: unknown) => {
        if (!(error instanceof SearchFailure) || !isTransient(error)) throw error;
        log.debug("the search service failed; retrying once", { cause: error });
        await pause(retryPauseMs, undefined, { signal }).catch((cause: unknown) => {
          throw new SearchFailure("late", { cause });
        });
        return request(call);
      });
    } catch (error) {
      if (!(error instanceof SearchFailure)) throw error;
      throw searchError(caller?.aborted ? new SearchFailure("stopped", { cause: error }) : error);
    }
  }

  return {
    search: async (query, { signal } = {}) => answerOf(await ask("/search", bodyOf(query), signal)),
    check: async () => {
      await ask("/usage", undefined);
    },
  };
}

function bodyOf(query: WebQuery): Record<string, unknown> {
  const { topic, timeRange, includeDomains = [], excludeDomains = [] } = query;
  return {
    query: query.query,
    max_results: query.maxResults,
    include_answer: "advanced",
    include_raw_content: false,
    include_images: false,
    ...(topic !== undefined && { topic }),
    ...(timeRange !== undefined && { time_range: timeRange }),
    ...(includeDomains.length > 0 && { include_domains: includeDomains }),
    ...(excludeDomains.length > 0 && { exclude_domains: excludeDomains }),
  };
}

/**
 * Parses a response. Invalid results are left out.
 * @throws {ToolError} `unavailable` if it is not a response
 */
function answerOf(body: unknown): WebAnswer {
  const results = fieldAt(body, "results");
  if (!Array.isArray(results)) throw searchError(new SearchFailure("junk"));
  return { answer: text(fieldAt(body, "answer")), results: results.flatMap(resultOf) };
}

function resultOf(item: unknown): WebResult[] {
  const url = text(fieldAt(item, "url"));
  if (url === "") return [];
  const [title, content] = [text(fieldAt(item, "title")), text(fieldAt(item, "content"))];
  const publishedAt = isoOf(text(fieldAt(item, "published_date")));
  return [{ title, url, content, ...(publishedAt !== undefined && { publishedAt }) }];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Parses a date. Tavily returns `Wed, 12 Nov 2025 10:00:00 GMT` for news, and a date without a time otherwise. */
function isoOf(date: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return date;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
