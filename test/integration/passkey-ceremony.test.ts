import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createPasskeyCeremony } from "../../src/adapters/webauthn/ceremony.ts";
import type { Passkey } from "../../src/ports/people/passkeys.ts";

const origin = "https://desk.example.org";
const flags = { present: 0x01, verified: 0x04 };

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();

/** Creates a device in software with one ES256 key pair, as most devices have. It signs any answer. */
function makeDevice() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // COSE: a map of kty EC2, alg ES256, crv P-256, x and y (RFC 9053, sections 2.1 and 7.1).
  const cose = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  const credentialId = randomBytes(16).toString("base64url");
  const passkey: Passkey = {
    passkeyId: "pk_1",
    credentialId,
    approver: "alice",
    name: "Phone",
    publicKey: cose,
    counter: 5,
    createdAt: new Date(0),
    usedAt: undefined,
  };

  function answer(options: string, changed: Partial<Signed> = {}): string {
    const { challenge: asked } = JSON.parse(options) as { challenge: string };
    const signed = { ...usual, challenge: asked, ...changed };
    const { type, challenge, origin: from, rpId, bits, counter } = signed;
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin: from }));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const data = Buffer.concat([sha256(rpId), Buffer.from([bits]), count]);
    const signature = createSign("sha256")
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(privateKey);
    return JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    });
  }
  return { passkey, answer };
}

interface Signed {
  type: string;
  challenge: string;
  origin: string;
  rpId: string;
  bits: number;
  counter: number;
}

const usual: Omit<Signed, "challenge"> = {
  type: "webauthn.get",
  origin,
  rpId: "desk.example.org",
  bits: flags.present | flags.verified,
  counter: 6,
};

function world() {
  const state = { now: Date.parse("2026-03-01T12:00:00Z") };
  const clock = (): Date => new Date(state.now);
  const ceremony = createPasskeyCeremony({ origin, key: new Uint8Array(32), clock });
  return { state, ceremony, ...makeDevice() };
}

// Two copies of an ASN.1 library made each of these signatures fail: a phone's passkey was added, and never accepted.
describe("the answer of a passkey", () => {
  it("is accepted for the challenge, and tells its time and the counter", async () => {
    const { state, ceremony, passkey, answer } = world();
    const given = answer(await ceremony.askToSignIn("sign-in"));
    expect(await ceremony.checkSignIn("sign-in", given, passkey)).toEqual({
      counter: 6,
      challengedAt: new Date(state.now),
    });
  });

  it.for<[string, Partial<Signed>]>([
    ["another origin", { origin: "https://desk.example.org.evil.example" }],
    ["a subdomain", { origin: "https://evil.desk.example.org" }],
    ["another port", { origin: "https://desk.example.org:8443" }],
    ["plain http", { origin: "http://desk.example.org" }],
    ["another relying party", { rpId: "example.org" }],
    ["a new passkey instead of a sign-in", { type: "webauthn.create" }],
    ["a challenge of its own", { challenge: randomBytes(38).toString("base64url") }],
    ["an empty challenge", { challenge: "" }],
    ["a person who was not verified", { bits: flags.present }],
    ["an absent person", { bits: flags.verified }],
    ["a counter that did not increase, as of a copied device", { counter: 5 }],
    ["a counter that began again", { counter: 0 }],
  ])("is refused with %s", async ([, changed]) => {
    const { ceremony, passkey, answer } = world();
    const given = answer(await ceremony.askToSignIn("sign-in"), changed);
    expect(await ceremony.checkSignIn("sign-in", given, passkey)).toBeUndefined();
  });

  it("is refused for another purpose, another key of the server, and after a quarter of an hour", async () => {
    const { state, ceremony, passkey, answer } = world();
    const given = answer(await ceremony.askToSignIn("consent 1"));
    expect(await ceremony.checkSignIn("consent 2", given, passkey)).toBeUndefined();
    expect(await ceremony.checkSignIn("sign-in", given, passkey)).toBeUndefined();
    const other = createPasskeyCeremony({ origin, key: new Uint8Array(32).fill(1) });
    expect(await other.checkSignIn("consent 1", given, passkey)).toBeUndefined();
    state.now += 15 * 60_000;
    expect(await ceremony.checkSignIn("consent 1", given, passkey)).toBeUndefined();
  });

  it("is refused with the signature of another device", async () => {
    const { ceremony, passkey } = world();
    const stranger = makeDevice();
    const given = stranger.answer(await ceremony.askToSignIn("sign-in"));
    const claimed = given.replaceAll(stranger.passkey.credentialId, passkey.credentialId);
    expect(await ceremony.checkSignIn("sign-in", claimed, passkey)).toBeUndefined();
  });

  it("is refused without an error in any other form", async () => {
    const { ceremony, passkey } = world();
    for (const given of [
      "",
      "{}",
      "[]",
      "null",
      '{"id":"AAAA"}',
      '{"id":1}',
      '{"id":"AAAA","response":{}}',
    ])
      expect(await ceremony.checkSignIn("sign-in", given, passkey)).toBeUndefined();
  });
});
