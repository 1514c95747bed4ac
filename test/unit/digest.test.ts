import { describe, expect, it } from "vitest";
import {
  base32,
  callDigest,
  canonicalJson,
  fingerprintOf,
  randomId,
  sha256Hex,
} from "../../src/core/shared/digest.ts";

describe("base32", () => {
  // RFC 4648, section 10.
  it.each([
    ["", ""],
    ["f", "my"],
    ["fo", "mzxq"],
    ["foo", "mzxw6"],
    ["foob", "mzxw6yq"],
    ["fooba", "mzxw6ytb"],
    ["foobar", "mzxw6ytboi"],
  ])("writes %j as the RFC's test vectors say", (text, expected) => {
    expect(base32(Buffer.from(text))).toBe(expected);
  });

  it("has one text for each value", () => {
    const texts = Array.from({ length: 0x1_0000 }, (_, n) => base32(Buffer.of(n >> 8, n & 0xff)));
    expect(new Set(texts).size).toBe(0x1_0000);
  });
});

describe("the digest of a call [tickets.binds]", () => {
  const digest = callDigest("write_file", { key: "a", content: "b" });

  it("does not depend on the order of the fields, nor on absent ones", () => {
    expect(callDigest("write_file", { content: "b", key: "a" })).toBe(digest);
    expect(callDigest("write_file", { content: "b", key: "a", ifMatch: undefined })).toBe(digest);
  });

  it.each([
    ["another tool", "write_files", { key: "a", content: "b" }],
    ["another value", "write_file", { key: "a", content: "B" }],
    ["another field", "write_file", { key: "a", content: "b", ifMatch: "" }],
    ["another type", "write_file", { key: "a", content: ["b"] }],
    ["values swapped", "write_file", { key: "b", content: "a" }],
    ["another form of the same letter", "write_file", { key: "a", content: "b\u0301" }],
  ])("differs for %s", (_what, tool, args) => {
    expect(callDigest(tool, args)).not.toBe(digest);
  });

  it("cannot be moved between the tool's name and the arguments", () => {
    expect(callDigest("a", "b")).not.toBe(callDigest('a"b"', ""));
  });
});

describe("canonical JSON", () => {
  it("sorts by UTF-16 units and writes numbers as RFC 8785 says", () => {
    expect(canonicalJson({ b: 1e21, a: 1.0, "\u20ac": -0, A: [3, { z: null, y: true }] })).toBe(
      '{"A":[3,{"y":true,"z":null}],"a":1,"b":1e+21,"€":0}',
    );
  });

  it("refuses what has no JSON form", () => {
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
  });
});

describe("ids and fingerprints", () => {
  it("are random, and name their kind", () => {
    const ids = Array.from({ length: 1_000 }, () => randomId("ap"));
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^ap_[a-z2-7]{26}$/);
  });

  it("identify one request: another id or other arguments give another fingerprint", () => {
    const fingerprint = fingerprintOf("ap_1", sha256Hex("a"));
    expect(fingerprint).toMatch(/^[A-Z2-7]{4}-[A-Z2-7]{4}$/);
    expect(fingerprintOf("ap_1", sha256Hex("a"))).toBe(fingerprint);
    expect(fingerprintOf("ap_2", sha256Hex("a"))).not.toBe(fingerprint);
    expect(fingerprintOf("ap_1", sha256Hex("b"))).not.toBe(fingerprint);
  });
});
