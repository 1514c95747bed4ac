/** What a sender may take of this process. None can be switched off. Milliseconds, numbers, bytes. */
export const smtpLimits = {
  /** A relay opens a handful. Whoever comes when all are taken takes the place of whoever has most and does nothing. */
  connections: 50,
  /** Places besides, for networks that delivered a message before: of all, and of one. */
  reserved: 20,
  reservedPerNetwork: 10,
  /** A network is remembered for that for so long, and so many are. */
  provenMs: 7 * 86_400_000,
  proven: 1_000,
  /** Sockets that were accepted and not yet greeted or fully closed come on top. */
  sockets: 500,
  /** Held in memory of all messages over 1 MB that come in at a time; whoever comes later is asked to come again. */
  largeMessagesBytes: 200 * 1024 * 1024,
  /** One relay cannot keep the others out: of one IPv4 address or IPv6 /64. */
  connectionsPerAddress: 25,
  /** RFC 5321 4.5.3.1.8 asks for at least 100. */
  recipients: 100,
  /** Unknown recipients of one connection, before it is taken for somebody who tries out addresses. */
  wrongRecipients: 100,
  /** RFC 5321 4.5.3.1.4 asks for 512; SMTPUTF8 and DSN add to it. Lines of a message may be as long as the message. */
  commandBytes: 4_096,
  /** Silence after which a connection is closed. RFC 5321 4.5.3.2 allows five minutes; a relay that is there answers at once. */
  idleMs: 60_000,
  /** From the greeting or the last message to the next: a byte now and then must not hold a connection for ever. */
  messageMs: 10 * 60_000,
  /** From the greeting or the last message to the next DATA: whoever only says NOOP gives the place back. */
  envelopeMs: 2 * 60_000,
  /** So long a message under way keeps its place when another network needs one. */
  busyMs: 60_000,
  /** Commands but RCPT from one DATA to the next: a relay needs four. */
  idleCommands: 50,
  /** How long a stop waits for messages that are under way. */
  closeMs: 10_000,
} as const;

export type SmtpLimits = Readonly<Record<keyof typeof smtpLimits, number>>;

/** The same over HTTP. */
export const httpLimits = {
  /** Messages taken at a time, each whole in memory; who comes later is asked to come again. */
  messages: 8,
  /** Sockets, whoever has them; the shares below fit in. */
  connections: 1_000,
  /** Those that have shown no token: one burst that the system hands over at once fits. The oldest is closed first. */
  strangersPerNetwork: 512,
  strangersPerWiderNetwork: 512,
  strangers: 640,
  /** Those that have. */
  perCaller: 100,
  callers: 100,
  /** How often Node looks for headers and bodies that are late. */
  connectionsCheckedEveryMs: 1_000,
  /** A request's headers: a token and an envelope. */
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  /** From the first byte of a request to its last: 25 MiB on a slow uplink. */
  requestMs: 5 * 60_000,
  /** Asked of whoever is put off. */
  retryAfterSeconds: 30,
  /** How long a stop waits for messages that are under way. */
  closeMs: 10_000,
} as const;

export const fetchLimits = {
  /** After a failure, doubled each time. */
  firstWaitMs: 1_000,
  maxWaitMs: 5 * 60_000,
  /** After a refused password and the like. */
  lastingMs: 10 * 60_000,
  /** How often a bucket is looked at: 175 000 listings a month, a dollar at Amazon. */
  lookEveryMs: 15_000,
  /** How long a stop waits for the message in hand: the resident role has to be given back before its lease ends. */
  closeMs: 3_000,
  /** Objects listed at a time. */
  batch: 100,
  /** After so many failures a message that cannot be taken is put aside without anybody having seen who it is from. */
  beginningTries: 2,
} as const;

export const importLimits = {
  /** A line without an end is taken in pieces of this size. RFC 5322 lines end at 998. */
  lineBytes: 64 * 1024,
  /** Folders in folders: a mail program's tree is not as deep, a loop of links is deeper. */
  depth: 32,
} as const;
