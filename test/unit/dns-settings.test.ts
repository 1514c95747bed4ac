import { describe, expect, it } from "vitest";
import { type Environment, parseSettings } from "../../src/config.ts";

const read = (env: Environment) => parseSettings(env, "/data").ingest;

describe("the DNS servers for sender checks", () => {
  const dnsOf = (value?: string) => read(value === undefined ? {} : { INGEST_DNS: value }).dns;

  it("are the system's, none, or servers by address", () => {
    expect(dnsOf()).toBe("system");
    expect(dnsOf("off")).toBe("off");
    expect(dnsOf("127.0.0.1:5353, ::1,[fe80::1]:53")).toEqual([
      "127.0.0.1:5353",
      "::1",
      "[fe80::1]:53",
    ]);
    for (const wrong of ["dns.example", "1.1.1", "1.1.1.1;8.8.8.8", "1.1.1.1,"])
      expect(() => dnsOf(wrong)).toThrow("INGEST_DNS must be");
  });

  it("are not needed for a named server, in any case of letters", () => {
    expect(read({ TRUSTED_AUTHSERV_ID: "MX.Example.org" }).trustedHost).toBe("mx.example.org");
    expect(() => read({ TRUSTED_AUTHSERV_ID: "a; b" })).toThrow("must be a host name");
  });

  it("name the trusted relays, as addresses and ranges [mail.trusted-relay]", () => {
    const relays = read({ TRUSTED_RELAYS: "10.1.2.3, 192.0.2.0/28,2001:db8::/64" }).trustedRelays;
    const isNamed = (address: string) => relays?.has(address);
    for (const one of ["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.15", "2001:db8::1"])
      expect(isNamed(one), one).toBe(true);
    for (const one of ["10.1.2.4", "192.0.2.16", "2001:db8:1::1", "127.0.0.1", "::1", "", "x"])
      expect(isNamed(one), one).toBe(false);
    expect(read({}).trustedRelays).toBeUndefined();
    for (const wrong of [
      "0.0.0.0/0",
      "::/0",
      "0.0.0.0/7",
      "10.0.0.0/33",
      "relay.example",
      "10.1",
      "",
    ])
      expect(() => read({ TRUSTED_RELAYS: `${wrong},` })).toThrow("TRUSTED_RELAYS");
  });
});
