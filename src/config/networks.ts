import { BlockList, isIP } from "node:net";

/** Addresses of machines. */
export interface Networks {
  has(address: string): boolean;
}

/** A range wider than the largest private network is a mistake: it would name strangers. */
const widestPrefix = 8;

/** Reads addresses and ranges such as `10.1.2.0/24`, separated by commas; returns undefined if one of them is none. */
export function readNetworks(text: string): Networks | undefined {
  const list = new BlockList();
  for (const item of text.split(",").map((one) => one.trim())) {
    const [, address = "", prefix] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const version = isIP(address);
    const bits = version === 6 ? 128 : 32;
    const length = prefix === undefined ? bits : Number(prefix);
    if (version === 0 || length < widestPrefix || length > bits) return undefined;
    list.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4");
  }
  return {
    has: (given) => {
      // A server that listens on IPv6 sees IPv4 clients so; a link-local address names its interface.
      const address = given.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
    },
  };
}
