import { expect, it } from "vitest";
import { scrypt } from "../../src/adapters/age/native-scrypt.ts";

// The vectors of RFC 7914 12.
it.for([
  {
    passphrase: "",
    salt: "",
    cost: { N: 16, r: 1, p: 1, dkLen: 64 },
    key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906",
  },
  {
    passphrase: "password",
    salt: "NaCl",
    cost: { N: 1024, r: 8, p: 16, dkLen: 64 },
    key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640",
  },
])("derives the key of RFC 7914 from '$passphrase'", ({ passphrase, salt, cost, key }) => {
  const derived = scrypt(passphrase, new TextEncoder().encode(salt), cost);
  expect(Buffer.from(derived).toString("hex")).toBe(key);
});

it("derives a key that costs more memory than Node allows without a limit", () => {
  const cost = { N: 2 ** 15, r: 8, p: 1, dkLen: 32 };
  expect(scrypt("passphrase", new Uint8Array(16), cost)).toHaveLength(32);
});
