/** What an HTTP caller may use up. Each with its reason; none can be switched off. Times in milliseconds. */
export const httpLimits = {
  /** The largest call is `write_file`: 1.5 million characters, of which each may need several bytes in JSON. */
  bodyBytes: 4 * 1024 * 1024,
  /** What is mounted takes forms of 16 KiB at most, and is sent them by strangers too. */
  mountedBodyBytes: 16 * 1024,
  /** A client holds one session, a host a handful; each costs some 60 kB. The oldest makes room for a new one. */
  sessionsPerPrincipal: 64,
  /** Longer than a break for lunch. A client whose stream is open is not idle: it waits to be told something. */
  sessionIdle: 2 * 3_600_000,
  /** Sessions need not end on the minute. */
  sessionSweepEvery: 60_000,
  /** Streams on which a 2026 client waits for changes of the tool list, of which there are none. */
  subscriptions: 128,
  /** A person mistypes a token a few times; a program that guesses needs billions of tries. */
  failedAttempts: 10,
  failedAttemptsWithin: 60_000,
  pauseAfterFailures: 60_000,
  /** Addresses whose failures are remembered: some 200 bytes each. The oldest is forgotten first. */
  addresses: 10_000,
  /** Headers come at once or from somebody who only wants to hold the connection. */
  headersWithin: 10_000,
  /** The whole request, body included, over a slow line. The answer may take longer. */
  requestWithin: 60_000,
  /** Longer than the 60 s of common proxies: the side that sends next must not be the one that finds it closed. */
  keepAlive: 65_000,
  /** Enough for hundreds of streams; short of what a process may open. */
  connections: 1_000,
  /** `/healthz` asks the database, and anybody may ask `/healthz`. */
  healthAgeAtMost: 1_000,
  healthWithin: 3_000,
} as const;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits]: number };
