/** Limits for senders. None can be switched off. Milliseconds, numbers or bytes. */
export const smtpLimits = {
  /**
   * Simultaneous connections. A relay opens a handful. If all are in use, a new client replaces an idle connection of
   * the network that has the most.
   */
  connections: 50,
  /** Extra connections for networks that delivered a message before: in total, and per network. */
  reserved: 20,
  reservedPerNetwork: 10,
  /** How long such networks are remembered, and how many of them. */
  provenMs: 7 * 86_400_000,
  proven: 1_000,
  /** Additional sockets that are accepted but not yet greeted or fully closed. */
  sockets: 500,
  /** Memory for all messages over 1 MB that arrive at once. Further ones get a temporary failure. */
  largeMessagesBytes: 200 * 1024 * 1024,
  /** Per IPv4 address or IPv6 /64, so that one relay cannot block the others. */
  connectionsPerAddress: 25,
  /** Recipients of one message. RFC 5321 4.5.3.1.8 requires at least 100. */
  recipients: 100,
  /** Unknown recipients per connection before it counts as address probing. */
  wrongRecipients: 100,
  /** RCPT commands between two DATA commands, also of recipients beyond the limit, which a relay tries again later. */
  recipientTries: 1_100,
  /**
   * Bytes of a command line. RFC 5321 4.5.3.1.4 requires 512, and SMTPUTF8 and DSN add to it. Lines of a message may be
   * as long as the message.
   */
  commandBytes: 4_096,
  /**
   * Idle time before a connection is closed. RFC 5321 4.5.3.2 recommends five minutes, but a live relay answers
   * immediately.
   */
  idleMs: 60_000,
  /** From the greeting or last message to the next one. A slow sender must not hold a connection forever. */
  messageMs: 10 * 60_000,
  /** From the greeting or last message to the next DATA. A client that only sends NOOP is disconnected. */
  envelopeMs: 2 * 60_000,
  /** A running message may take this long before another network may replace its connection. */
  busyMs: 60_000,
  /** Commands except RCPT between two DATA commands. A relay needs four. */
  idleCommands: 50,
  /** How long a stop waits for running messages. */
  closeMs: 10_000,
} as const;

export type SmtpLimits = Readonly<Record<keyof typeof smtpLimits, number>>;

/** Limits for mail over HTTP. */
export const httpLimits = {
  /** Simultaneous messages, each completely in memory. Further ones get a temporary failure. */
  messages: 8,
  /** A new message replaces one that takes longer, so slow senders cannot block others for longer than this. */
  busyMs: 30_000,
  /** Sockets in total. The shares below fit into this number. */
  connections: 1_000,
  /** Sockets without a valid token. One burst from the system's accept queue fits in. The oldest is closed first. */
  unauthenticatedPerNetwork: 512,
  unauthenticatedPerWiderNetwork: 512,
  unauthenticated: 640,
  /** Sockets with a valid token. */
  perCaller: 100,
  callers: 100,
  /** How often Node looks for headers and bodies that are late. */
  connectionsCheckedEveryMs: 1_000,
  /** A request's headers, which hold a token and an envelope. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  /** The duration of a request: 25 MiB on a slow uplink. */
  requestMs: 5 * 60_000,
  /** The Retry-After of a temporary failure. */
  retryAfterSeconds: 30,
  /** How long a stop waits for running messages. */
  closeMs: 10_000,
} as const;

export const fetchLimits = {
  /** The wait after a failure. It doubles each time. */
  firstWaitMs: 1_000,
  maxWaitMs: 5 * 60_000,
  /** The wait after a rejected password and similar failures. */
  lastingMs: 10 * 60_000,
  /** How often a bucket is listed: 175 000 listings a month, about a dollar at Amazon. */
  pollEveryMs: 15_000,
  /** How long a stop waits for the running fetch. The leader's lease must be released before it ends. */
  closeMs: 3_000,
  /** Objects per listing. */
  batch: 100,
  /** Failures to read the beginning of a message. It is then rejected with an unknown sender. */
  beginningTries: 2,
} as const;

export const importLimits = {
  /** A line without an end is read in pieces of this size. RFC 5322 limits lines to 998 characters. */
  lineBytes: 64 * 1024,
  /** Deepest nesting of folders. The tree of a mail program is less deep, and a loop of links is deeper. */
  depth: 32,
} as const;
