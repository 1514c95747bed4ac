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
  /** Streams on which 2026 clients wait for changes of the tool list; one caller's are among its requests under way. */
  subscriptions: 1_024,
  /** A token and a proxy's additions. */
  headerBytes: 16 * 1024,
  /** Headers come at once or from somebody who only wants to hold the connection. */
  headersWithin: 10_000,
  /** The whole request, body included, over a slow line. The answer may take longer. */
  requestWithin: 60_000,
  /** Longer than the 60 s of common proxies: the side that sends next must not be the one that finds it closed. */
  keepAlive: 65_000,
  /** How often Node looks for headers and bodies that are late: its own half a minute is three times their time. */
  connectionsCheckedEvery: 1_000,
  /** Sockets, whoever has them; short of what a process may open. The shares below fit in with room to spare. */
  connections: 2_000,
  /** One burst that the system hands over at once must fit, or a client's own connections would close each other. */
  strangersPerNetwork: 512,
  strangersPerWiderNetwork: 576,
  strangers: 640,
  /** Above what a caller may have under way: its idle sockets go first. */
  perCaller: 256,
  callers: 1_280,
  /** Requests under way that have proved nothing: signing in takes milliseconds, the slow bodies of others do not. */
  strangerRequestsPerNetwork: 64,
  strangerRequestsPerWiderNetwork: 96,
  strangerRequests: 256,
  /** Of one caller: a stream for each session, the calls that wait, and as many again. */
  requestsPerCaller: 192,
  /** `/healthz` asks the database, and anybody may ask `/healthz`. */
  healthAgeAtMost: 1_000,
  healthWithin: 3_000,
} as const;

export type HttpLimits = { readonly [Name in keyof typeof httpLimits]: number };
