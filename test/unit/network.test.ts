import { describe, expect, it } from "vitest";
import { isPrivateAddress, networksOf } from "../../src/core/network-limits/network.ts";
import { addressOf } from "../../src/core/network-limits/sender-address.ts";

describe("the networks of an address", () => {
  it.for([
    ["192.0.2.7", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["192.0.2.7:50123", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["::FFFF:C000:207", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["64:ff9b::192.0.2.7", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["2002:c000:0207:1:2:3:4:5", "192.0.2.7", "192.0.2.0/24", "192.0"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdf8", "192.0.2.7", "192.0.2.0/24", "192.0"],
  ] as const)("are those of the IPv4 address that it is or carries: %s", ([text, ...expected]) => {
    const [narrow, wide, region] = expected;
    expect(networksOf(text)).toEqual({ narrow, wide, region: `${region}/16` });
  });

  it.for([
    "2001:db8:1:2::7",
    "2001:DB8:1:2:ffff:ffff:ffff:ffff",
    "[2001:0db8:0001:0002::1]:443",
    "2001:db8:1:2::1%eth0",
    "2001:db8:1:2::192.0.2.7",
  ])("are the /64, /48 and /32 of IPv6, in any spelling: %s", (text) => {
    expect(networksOf(text)).toEqual({
      narrow: "2001:db8:1:2::/64",
      wide: "2001:db8:1::/48",
      region: "2001:db8::/32",
    });
  });

  it.for(["", "unknown", "_hidden", "1.2.3", "1.2.3.256", "1::2::3", "1:2:3:4:5:6:7:8:9", "g::1"])(
    "are one for all invalid addresses: %j",
    (text) => expect(networksOf(text).narrow).toBe("unknown"),
  );

  it("distinguish our own network from the Internet", () => {
    for (const own of ["127.0.0.2", "::1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "fd00::1"])
      expect(isPrivateAddress(own), own).toBe(true);
    // Other spellings and blocks passed as addresses of the Internet.
    for (const own of ["::127.0.0.1", "64:ff9b:1::a00:1", "fec0::1", "ff02::1", "100::1"])
      expect(isPrivateAddress(own), own).toBe(true);
    for (const own of ["192.0.0.170", "198.18.0.1", "224.0.0.1", "255.255.255.255"])
      expect(isPrivateAddress(own), own).toBe(true);
    // Each block from its first to its last address.
    for (const own of ["0.0.0.0", "100.64.0.0", "100.127.255.255", "169.254.0.0", "198.19.255.255"])
      expect(isPrivateAddress(own), own).toBe(true);
    for (const own of ["fe80::1%eth0", "[::ffff:100.64.0.1]:80", "::ffff:0.0.0.0", "2002:6440:1::"])
      expect(isPrivateAddress(own), own).toBe(true);
    for (const other of ["172.32.0.1", "8.8.8.8", "2001:db8::1", "::2", "nonsense"])
      expect(isPrivateAddress(other), other).toBe(false);
    for (const other of ["100.63.255.255", "100.128.0.0", "169.253.255.255", "198.20.0.0"])
      expect(isPrivateAddress(other), other).toBe(false);
    for (const other of ["1.0.0.0", "172.15.255.255", "192.0.1.0", "223.255.255.255"])
      expect(isPrivateAddress(other), other).toBe(false);
  });
});

describe("the sender of a request", () => {
  const from = (remoteAddress: string, forwarded?: string) => ({
    headers: { ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) },
    socket: { remoteAddress },
  });

  it("is the last address that the proxy names, and no earlier one", () => {
    expect(addressOf(from("127.0.0.1", "198.51.100.1, 203.0.113.5"), true)).toBe("203.0.113.5");
    expect(addressOf(from("::1", "2001:db8::5"), true)).toBe("2001:db8::5");
  });

  it("is the socket's address without a proxy or a valid header", () => {
    expect(addressOf(from("127.0.0.1", "203.0.113.5"), false)).toBe("127.0.0.1");
    expect(addressOf(from("127.0.0.1"), true)).toBe("127.0.0.1");
    expect(addressOf(from("127.0.0.1", "203.0.113.5, unknown"), true)).toBe("127.0.0.1");
  });

  it("is not a false proxy from elsewhere", () => {
    expect(addressOf(from("198.51.100.9", "203.0.113.5"), true)).toBe("198.51.100.9");
  });
});
