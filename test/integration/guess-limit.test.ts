import { describe, expect, it } from "vitest";
import {
  type GuessLimits,
  createGuessLimit,
  guessLimits,
} from "../../src/core/network-limits/guess-limit.ts";

const kind = "token";

function setUp(limits: Partial<GuessLimits> = {}) {
  let at = 1_000_000;
  const guesses = createGuessLimit(() => at, { ...guessLimits, ...limits });
  const wait = (address: string) => guesses.waitSeconds({ address }, kind);
  /** Guesses as a program does, until it has to wait. Returns the number of guesses that were checked. */
  const guess = (addresses: Iterable<string>): number => {
    let heard = 0;
    for (const address of addresses) {
      if (wait(address) !== undefined) continue;
      guesses.failed({ address }, kind);
      heard += 1;
    }
    return heard;
  };
  return { guesses, wait, guess, pass: (ms: number) => void (at += ms) };
}

function* numbered(count: number, address: (index: number) => string) {
  for (let index = 0; index < count; index += 1) yield address(index);
}

describe("a limit of guesses [http.guessing]", () => {
  it("pauses only that address, for exactly the reported time", () => {
    const { guess, wait, pass } = setUp();
    expect(guess(numbered(50, () => "192.0.2.1"))).toBe(10);
    expect(wait("192.0.2.1")).toBe(60);
    expect(wait("192.0.2.2")).toBeUndefined();
    pass(59_001);
    expect(wait("192.0.2.1")).toBe(1);
    pass(1_000);
    expect(wait("192.0.2.1")).toBeUndefined();
  });

  it("treats failures that are far apart as mistakes", () => {
    const { guess, pass } = setUp();
    for (let day = 0; day < 30; day += 1) {
      expect(guess(["192.0.2.1"])).toBe(1);
      pass(60_001);
    }
  });

  // One /64 made 4 995 guesses in 3.4 s, an address for each five.
  it("counts the addresses of one IPv6 /64 together, the /64s of a /48, and the /48s of a /32", () => {
    const hex = (index: number): string => index.toString(16);
    const one = setUp();
    expect(one.guess(numbered(5_000, (index) => `2001:db8:0:1::${hex(index)}`))).toBe(10);
    expect(one.wait("2001:db8:0:2::1")).toBeUndefined();
    const many = setUp();
    expect(many.guess(numbered(6_000, (index) => `2001:db8:7:${hex(index)}::1`))).toBe(30);
    expect(many.wait("2001:db8:8::1")).toBeUndefined();
    expect(setUp().guess(numbered(6_000, (index) => `2001:db8:${hex(index)}::1`))).toBe(60);
  });

  it("limits all guesses at a secret, without blocking uninvolved networks", () => {
    const { guess, wait, pass } = setUp();
    const four = (index: number): string => `10.${index % 100}.${Math.floor(index / 100)}.9`;
    expect(guess(numbered(25_000, four))).toBeLessThanOrEqual(120 + 100 * 6);
    expect(wait("10.5.200.1")).toBe(60);
    expect(wait("203.0.113.7")).toBeUndefined();
    expect(wait("2001:db8::1")).toBeUndefined();
    expect(guess(numbered(100, (index) => `203.0.113.${index}`))).toBe(6);
    pass(60_001);
    expect(wait("10.5.200.1")).toBeUndefined();
  });

  // A full table of addresses locked out every new network, even with the right secret.
  it("admits a new network, however full the limit is", () => {
    const { guess, wait } = setUp({ remembered: 50, ceiling: 1_000_000 });
    guess(numbered(20_000, (index) => `${1 + (index % 200)}.${Math.floor(index / 200)}.0.1`));
    expect(wait("203.0.113.7")).toBeUndefined();
    expect(guess(numbered(20, () => "203.0.113.7"))).toBe(10);
  });

  it("does not forget guessing networks in favour of new ones", () => {
    const { guess, wait } = setUp({ remembered: 50 });
    guess(numbered(10, () => "203.0.113.7"));
    guess(numbered(5_000, (index) => `${1 + (index % 200)}.${Math.floor(index / 200)}.0.1`));
    expect(wait("203.0.113.7")).toBe(60);
  });

  it("counts guesses at one kind of secret for the other in the same network", () => {
    const { guesses, guess } = setUp();
    guess(numbered(10, () => "192.0.2.1"));
    expect(guesses.waitSeconds({ address: "192.0.2.1" }, "approver")).toBe(60);
    for (let tries = 0; tries < 5; tries += 1) guesses.failed({ address: "192.0.2.2" }, "approver");
    expect(guesses.waitSeconds({ address: "192.0.2.2" }, "token")).toBe(60);
  });

  it("gives a known browser its own limit", () => {
    const { guesses, guess } = setUp();
    guess(numbered(10, () => "192.0.2.1"));
    expect(guesses.waitSeconds({ browser: "one" }, "approver")).toBeUndefined();
    for (let tries = 0; tries < 5; tries += 1) guesses.failed({ browser: "one" }, "approver");
    expect(guesses.waitSeconds({ browser: "one" }, "approver")).toBe(60);
    expect(guesses.waitSeconds({ browser: "two" }, "approver")).toBeUndefined();
  });

  it("remembers where a caller succeeded, for that caller and network only", () => {
    const { guesses } = setUp({ provenNetworks: 2 });
    guesses.succeeded("2001:db8::1", "alice");
    expect(guesses.hasSucceeded("2001:db8::2", "alice")).toBe(true);
    expect(guesses.hasSucceeded("2001:db8::1", "bob")).toBe(false);
    expect(guesses.hasSucceeded("192.0.2.1", "alice")).toBe(false);
    for (const address of ["192.0.2.1", "192.0.2.2"]) guesses.succeeded(address, "alice");
    expect(guesses.hasSucceeded("2001:db8::1", "alice")).toBe(false);
  });
});
