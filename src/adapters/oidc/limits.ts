/** Lifetimes of tokens and of the library's other records. Seconds. */
export const lifetimes = {
  access: 3_600,
  refresh: 30 * 86_400,
  /** Clients exchange a code immediately. */
  code: 60,
  /** A person reads the page, finds the secret and types it. */
  interaction: 15 * 60,
  /** A registration without a sign-in. */
  unusedClient: 86_400,
  /** Longer than its last refresh token, so that a client can sign in again with it. */
  usedClient: 90 * 86_400,
} as const;

/** Limit on stored registrations. Anyone can register a client, and each registration is a row. */
export const mostClients = 1_000;

/** Registrations for each network within `windowMs`. A client registers twice for each connection. */
export const registrationsPerNetwork = 30;
export const windowMs = 10 * 60_000;

/**
 * Sign-ins that anyone can begin. Each is stored until it ends, with parameters that they choose. A team behind one address
 * needs fewer for each network. The oldest beyond the number of all are removed, so that a flood cannot fill the disk.
 */
export const signIns = { perNetwork: 1_000, inAll: 5_000, queryBytes: 8_192 } as const;

/** The body of a form or a registration. Bytes. */
export const maxBodyBytes = 16_384;

/**
 * Limits for a client id metadata document. Ages, after which it is read again, are in seconds, and other times in
 * milliseconds.
 */
export const document = {
  maxBytes: 5_120,
  withinMs: 5_000,
  leastAge: 300,
  mostAge: 86_400,
} as const;
