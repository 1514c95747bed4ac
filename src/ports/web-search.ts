export interface WebQuery {
  /** At most 300 characters. */
  query: string;
  /** 1 to 5. */
  maxResults: number;
  topic?: "general" | "news" | "finance";
  timeRange?: "day" | "week" | "month" | "year";
  includeDomains?: readonly string[];
  excludeDomains?: readonly string[];
}

/** As a stranger wrote it: neither cleaned nor bounded. */
export interface WebResult {
  title: string;
  url: string;
  content: string;
  /** An ISO 8601 date or time. */
  publishedAt?: string;
}

export interface WebAnswer {
  /** Empty where there is none. */
  answer: string;
  /** Best first. */
  results: readonly WebResult[];
}

/**
 * Search of the public web. Everything that is asked leaves this house. Errors: `auth`, `rate_limited`, `timeout`,
 * `unavailable`, `invalid_input`, `not_configured`, `cancelled`.
 */
export interface WebSearch {
  search(query: WebQuery, options?: { signal?: AbortSignal }): Promise<WebAnswer>;
  /** Tries the connection and the key, without a search; throws what is wrong with it. */
  check(): Promise<void>;
}
