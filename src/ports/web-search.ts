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

/** Raw untrusted text of any length. */
export interface WebResult {
  title: string;
  url: string;
  content: string;
  /** An ISO 8601 date or time. */
  publishedAt?: string;
}

export interface WebAnswer {
  /** Empty if the service gave no answer. */
  answer: string;
  /** Best first. */
  results: readonly WebResult[];
}

/**
 * Search of the public web. Queries are sent to an external service. Errors: `auth`, `rate_limited`, `timeout`,
 * `unavailable`, `invalid_input`, `not_configured`, `cancelled`.
 */
export interface WebSearch {
  search(query: WebQuery, options?: { signal?: AbortSignal }): Promise<WebAnswer>;
  /**
   * Tests the connection and the key without a search.
   * @throws {ToolError} with the problem
   */
  check(): Promise<void>;
}
