/** Limits for HTTP callers. None can be switched off. Times in milliseconds. */
export const httpLimits = {
  /** The largest call is `write_file`: 1.5 million characters, each of which may take several bytes in JSON. */
  bodyBytes: 4 * 1024 * 1024,
  /** Forms of mounted handlers have at most 16 KiB, and clients without a token can send them. */
  mountedBodyBytes: 16 * 1024,
  /** A desktop client holds one session, a website a handful. Each costs about 60 kB. A new one replaces the oldest. */
  sessionsPerPrincipal: 64,
  /** Idle time after which a session ends, longer than a lunch break. A client with an open stream is not idle. */
  sessionIdle: 2 * 3_600_000,
  /** How often idle sessions are ended. */
  sessionSweepEvery: 60_000,
  /**
   * Streams on which 2026 clients wait for changes of the tool list. Each counts as a running request of its caller.
   */
  subscriptions: 1_024,
  /** Bytes of all headers of a request: a token, and additions of proxies. */
  headerBytes: 16 * 1024,
  /** Time limit for the headers. Slow headers indicate an attack. */
  headersWithin: 10_000,
  /** Time limit for the request with its body, on a slow line. The response may take longer. */
  requestWithin: 60_000,
  /** How long an idle connection is kept: longer than the 60 s of common proxies, so that the proxy closes it first. */
  keepAlive: 65_000,
  /** How often Node looks for late headers and bodies. Its default of half a minute is three times their limit. */
  connectionsCheckedEvery: 1_000,
  /** Sockets in total, below the limit of the process. The shares below fit into this number. */
  connections: 2_000,
  /** Enough for one burst from the system's accept queue, so that a client's connections do not close each other. */
  unauthenticatedPerNetwork: 512,
  unauthenticatedPerWiderNetwork: 576,
  unauthenticated: 640,
  /** Sockets per caller: more than its running requests. Idle sockets are closed first. */
  perCaller: 256,
  callers: 1_280,
  /** Running requests without a valid token. Signing in takes milliseconds, so more indicate slow bodies. */
  unauthenticatedRequestsPerNetwork: 64,
  unauthenticatedRequestsPerWiderNetwork: 96,
  unauthenticatedRequests: 256,
  /** Running requests per caller: a stream for each session, the waiting calls, and the same number again. */
  requestsPerCaller: 192,
  /** `/healthz` needs no token and queries the database, so its response is cached. */
  healthAgeAtMost: 1_000,
  healthWithin: 3_000,
} as const;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits]: number };
