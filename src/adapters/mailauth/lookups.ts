import { Resolver } from "node:dns/promises";

/** DNS limits for one of the three checks of a message. */
const limits = {
  /** SPF may need ten lookups and further ones for their parts (RFC 7208 4.6.4). */
  lookups: 30,
  /** A key is about 400 bytes, and the longest useful SPF record 2 kB. */
  textBytes: 16_384,
  totalMs: 6_000,
  /** The first of two tries at a server. */
  firstTryMs: 1_500,
};

/** DNS errors that may be temporary. Every other error counts as a response. */
const temporary = new Set([
  "ETIMEOUT",
  "ESERVFAIL",
  "EREFUSED",
  "ECONNREFUSED",
  "ECANCELLED",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

export interface Lookups {
  /** Resolves as mailauth expects: `ENODATA` for a missing record, `ETIMEOUT` if DNS is unavailable. */
  resolve: (name: string, type: string) => Promise<string[][] | string[]>;
  asked: number;
  unanswered: number;
}

export function openResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: limits.firstTryMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * Creates bounded lookups. The names come from the message, so invalid or too many names must not look like an
 * unavailable DNS.
 * @param concerns decides which names are looked up
 */
export function boundedLookups(
  resolver: Resolver,
  concerns: (name: string) => Promise<boolean> = () => Promise.resolve(true),
): Lookups {
  const endsAt = performance.now() + limits.totalMs;
  const lookups: Lookups = { resolve, asked: 0, unanswered: 0 };

  async function resolve(name: string, type: string): Promise<string[][] | string[]> {
    if (!(await concerns(name))) throw failure("ENODATA");
    lookups.asked += 1;
    if (lookups.asked > limits.lookups)
      throw Object.assign(failure("ENODATA"), {
        spfResult: { error: "permerror", text: "too many lookups" },
      });
    let records: string[][] | string[];
    try {
      records = await inTime(ask(resolver, name, type), endsAt - performance.now());
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!temporary.has(code)) throw failure("ENODATA");
      lookups.unanswered += 1;
      throw failure("ETIMEOUT");
    }
    if (records.flat().join("").length > limits.textBytes) throw failure("ENODATA");
    return records;
  }
  return lookups;
}

async function ask(resolver: Resolver, name: string, type: string): Promise<string[][] | string[]> {
  switch (type) {
    case "TXT":
      return await resolver.resolveTxt(name);
    case "A":
      return await resolver.resolve4(name);
    case "AAAA":
      return await resolver.resolve6(name);
    case "PTR":
      return await resolver.resolvePtr(name);
    case "MX":
      // mailauth expects Node's own records.
      return (await resolver.resolveMx(name)) as unknown as string[];
    default:
      throw failure("ENODATA");
  }
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure("ETIMEOUT")), Math.max(0, ms));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
