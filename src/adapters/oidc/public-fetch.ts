import { lookup } from "node:dns";
import { request } from "node:https";
import { BlockList, isIP } from "node:net";

/** A document that was read. */
export interface PublicDocument {
  text: string;
  /** `max-age` of the response (RFC 9111, section 5.2.2.1). Undefined if it names none. Seconds. */
  maxAge: number | undefined;
}

/** The reason why a document was not read, in our words. */
export class NotReadError extends Error {
  override readonly name = "NotReadError";
}

/** Special purpose blocks of IPv4 (RFC 6890 and its registry), multicast and reserved space. */
const special = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  special.addSubnet(network, bits, "ipv4");
}
/** The only allocated global unicast space of IPv6 (RFC 4291, section 2.4), and the special blocks in it. */
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const) {
  special.addSubnet(network, bits, "ipv6");
}

/** Returns whether an address is public. IPv6 addresses that contain an IPv4 address do not count as public. */
function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && unicast.check(address, "ipv6") && !special.check(address, "ipv6");
}

/**
 * Reads a document that an unknown client named. The connection goes to the address that was checked, so a name cannot change
 * its address between check and use. Redirects are refused.
 * @throws NotReadError
 */
export async function fetchPublic(
  url: URL,
  { maxBytes, withinMs }: { maxBytes: number; withinMs: number },
): Promise<PublicDocument> {
  return await new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      reject(new NotReadError(reason));
      sent.destroy();
    };
    const sent = request(
      url,
      {
        agent: false,
        headers: { accept: "application/json" },
        signal: AbortSignal.timeout(withinMs),
        lookup: (name, options, done) => {
          lookup(name, { ...options, all: true }, (error, found) => {
            if (error !== null) return done(error, []);
            if (found.length > 0 && found.every(({ address }) => isPublicAddress(address))) {
              return done(null, found);
            }
            done(new NotReadError("its host has no public address"), []);
          });
        },
      },
      (response) => {
        const { statusCode, headers } = response;
        if (statusCode !== 200) return fail(`its host answered with status ${statusCode}`);
        if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) {
          return fail("it is not JSON");
        }
        const chunks: Uint8Array[] = [];
        let bytes = 0;
        response.on("data", (chunk: Uint8Array) => {
          bytes += chunk.length;
          if (bytes > maxBytes) fail(`it has more than ${maxBytes} bytes`);
          else chunks.push(chunk);
        });
        response.once("error", () => fail("the connection broke"));
        response.once("end", () => {
          const age = /(?:^|,)\s*max-age\s*=\s*(\d{1,9})/i.exec(headers["cache-control"] ?? "");
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ text, maxAge: age === null ? undefined : Number(age[1]) });
        });
      },
    );
    sent.once("error", (thrown) => {
      reject(
        thrown instanceof NotReadError ? thrown : new NotReadError("its host does not answer"),
      );
    });
    sent.end();
  });
}
