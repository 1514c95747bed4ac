import { Resolver } from "node:dns/promises";

/** What one message may ask of DNS in one of its three parts, and how long it takes. */
const limits = {
  /** SPF alone may take ten and their parts (RFC 7208 4.6.4). */
  lookups: 30,
  /** A key is some 400 bytes, the longest SPF record that is of use 2 kB. */
  textBytes: 16_384,
  totalMs: 6_000,
  /** The first of two tries at a server. */
  firstTryMs: 1_500,
};

/** Nobody answered, or said that it cannot: another time it may be different. Every other error is an answer. */
const away = new Set([
  "ETIMEOUT",
  "ESERVFAIL",
  "EREFUSED",
  "ECONNREFUSED",
  "ECANCELLED",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

export interface Lookups {
  /** As mailauth wants it: `ENODATA` for what is not there, `ETIMEOUT` for what is away. */
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
 * Bounded lookups. `concerns` says which names are asked for at all. The names come out of the message: one that is none,
 * or too many of them, must not look like a DNS that is away.
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
      if (!away.has(code)) throw failure("ENODATA");
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
      // mailauth reads the records of Node itself.
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
