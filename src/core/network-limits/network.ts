/** The networks of an address, from the smallest to the largest. Each is the key of a count. */
export interface AddressNetworks {
  /** One IPv4 address or one IPv6 /64: a household or a machine. */
  narrow: string;
  /** An IPv4 /24 or an IPv6 /48: a customer of a provider. */
  wide: string;
  /** An IPv4 /16 or an IPv6 /32: a provider, or a part of a large one. */
  region: string;
}

/**
 * Returns the networks of an address in any form that sockets and proxies use: with a zone, a port or brackets. An IPv6
 * address that contains an IPv4 address (mapped, NAT64, 6to4, Teredo) counts as that IPv4 address, because its holder
 * can choose the other bits. All invalid addresses share one network.
 */
export function networksOf(address: string): AddressNetworks {
  const groups = parse(address);
  if (groups === undefined) return { narrow: "unknown", wide: "unknown", region: "unknown" };
  const ipv4 = ipv4In(groups);
  if (ipv4 !== undefined) {
    const [a, b, c, d] = ipv4;
    return { narrow: `${a}.${b}.${c}.${d}`, wide: `${a}.${b}.${c}.0/24`, region: `${a}.${b}/16` };
  }
  const prefix = (bits: number): string => {
    const parts = groups.slice(0, bits / 16).map((group) => group.toString(16));
    return `${parts.join(":")}::/${bits}`;
  };
  return { narrow: prefix(64), wide: prefix(48), region: prefix(32) };
}

/** Returns whether the text is an IP address in any of those forms. */
export function isAddress(text: string): boolean {
  return parse(text) !== undefined;
}

/**
 * Returns whether an address is reachable only from this machine or its own network: unspecified, loopback, link-local,
 * private (RFC 1918, RFC 4193) and shared (RFC 6598). The reserved, multicast and benchmark blocks count too.
 */
export function isPrivateAddress(address: string): boolean {
  const groups = parse(address);
  if (groups === undefined) return false;
  const [a = 0, b = 0, c = 0] = ipv4In(groups) ?? [];
  const [first = 0] = groups;
  if (ipv4In(groups) === undefined) {
    // `::` reaches the same machine as `::1`.
    const isHere = groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) <= 1;
    // Link-local, and the deprecated site-local.
    const isLocal = (first & 0xff80) === 0xfe80;
    // The local form of NAT64 (RFC 8215) and the discard block (RFC 6666).
    const isInner = first === 0x64 || first === 0x100;
    return isHere || isLocal || isInner || (first & 0xfe00) === 0xfc00 || first >= 0xff00;
  }
  return (
    a === 0 ||
    a === 127 ||
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 192 && b === 0 && c === 0) ||
    (a === 198 && (b === 18 || b === 19)) ||
    a >= 224
  );
}

/** Parses an address into its eight groups. IPv4 becomes mapped IPv6 (RFC 4291 section 2.5.5.2). */
function parse(text: string): number[] | undefined {
  const [bare = ""] = withoutPort(text.trim()).split("%", 1);
  const dotted = /^(.*?)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(bare);
  if (dotted === null) return expand(bare);
  const [, head = "", ...tail] = dotted;
  const bytes = tail.map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const last = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return expand(`${head === "" ? "::ffff:" : head}${last}`);
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^([\d.]+):\d+$/, "$1");
}

function expand(text: string): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  if (tail !== undefined && zeros < 1) return undefined;
  const all = [...head, ...Array<string>(zeros).fill("0"), ...(tail ?? [])];
  if (all.length !== 8 || !all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return all.map((group) => Number.parseInt(group, 16));
}

/** Returns the four bytes of an embedded IPv4 address, if there is one. */
function ipv4In(groups: readonly number[]): [number, number, number, number] | undefined {
  const [g0 = 0, g1 = 0, g2 = 0, , , g5 = 0, g6 = 0, g7 = 0] = groups;
  const bytes = (high: number, low: number): [number, number, number, number] => [
    high >> 8,
    high & 0xff,
    low >> 8,
    low & 0xff,
  ];
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && g5 === 0xffff;
  const isNat64 = g0 === 0x64 && g1 === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  // IPv4-compatible addresses are deprecated (RFC 4291, section 2.5.5.1). Some systems still connect to them.
  const isCompatible = groups.slice(0, 6).every((group) => group === 0) && g6 !== 0;
  if (isMapped || isNat64 || isCompatible) return bytes(g6, g7);
  if (g0 === 0x2002) return bytes(g1, g2);
  // Teredo inverts the client's address (RFC 4380 section 4).
  if (g0 === 0x2001 && g1 === 0) return bytes(g6 ^ 0xffff, g7 ^ 0xffff);
  return undefined;
}
