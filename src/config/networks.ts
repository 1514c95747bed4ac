import { BlockList, isIP } from "node:net";

/** A set of machine addresses. */
export interface NetworkSet {
  has(address: string): boolean;
}

/** The shortest prefix, that of the largest private network. A wider range would include hosts of other people. Bits. */
const widestPrefix = 8;

/** Parses addresses and ranges such as `10.1.2.0/24`, separated by commas. Undefined if one of them is invalid. */
export function readNetworks(text: string): NetworkSet | undefined {
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
      // An IPv6 listener sees IPv4 clients in this form. A link-local address has its interface appended.
      const address = given.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
    },
  };
}
