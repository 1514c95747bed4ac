import { Stanza } from "age-encryption";
import { describe, expect, it } from "vitest";
import { identityOf } from "../../src/adapters/age/passphrase-stanza.ts";
import { Secret } from "../../src/core/shared/secret.ts";

// Stanzas of the test vectors of the age format: github.com/C2SP/CCTV, age/testdata/scrypt*.
const salt = "rF0/NwblUHHTpgQgRpe5CQ";
const body = "gUjEymFKMVXQEKdMMHL24oYexjE3TIC0O0zGSqJ2aUY";
const fileKey = "YELLOW SUBMARINE";

const stanzaOf = (args: readonly string[], text = body): Stanza =>
  new Stanza([...args], Buffer.from(text, "base64"));

const opened = async (stanzas: Stanza[], passphrase = "password") =>
  await identityOf(new Secret(passphrase)).unwrapFileKey(stanzas);

describe("the passphrase of a backup", () => {
  it("opens a file of another program", async () => {
    const key = await opened([stanzaOf(["scrypt", salt, "10"])]);
    expect(Buffer.from(key ?? []).toString()).toBe(fileKey);
  });

  it.each([
    ["another passphrase", [stanzaOf(["scrypt", salt, "10"])], "wrong"],
    ["a changed tag", [stanzaOf(["scrypt", salt, "10"], `${body.slice(0, -3)}abk`)], "password"],
    ["another work factor", [stanzaOf(["scrypt", salt, "11"])], "password"],
    ["another kind of stanza", [stanzaOf(["Scrypt", salt, "10"])], "password"],
  ])("opens nothing with %s", async (_, stanzas, passphrase) => {
    expect(await opened(stanzas, passphrase)).toBeNull();
  });

  it.each([
    ["two passphrases", [stanzaOf(["scrypt", salt, "10"]), stanzaOf(["scrypt", salt, "10"])]],
    ["another recipient", [stanzaOf(["X25519", salt]), stanzaOf(["scrypt", salt, "10"])]],
    ["another argument", [stanzaOf(["scrypt", salt, "10", "10"])]],
    ["no salt", [stanzaOf(["scrypt", "10"])]],
    ["no work factor", [stanzaOf(["scrypt", salt])]],
    ["a long salt", [stanzaOf(["scrypt", "rF0/NwblUHHTpgQgRpe5CRs1xuY", "10"])]],
    ["a short salt", [stanzaOf(["scrypt", "rF0/NwblUHHTpgQg", "10"])]],
    ["a salt in another spelling", [stanzaOf(["scrypt", "rF0/NwblUHHTpgQgRpe5CR", "10"])]],
    ["a long key", [stanzaOf(["scrypt", salt, "10"], `${body.slice(0, -1)}8AAAAA`)]],
    ["the work factor 0", [stanzaOf(["scrypt", salt, "0"])]],
    ["the work factor 010", [stanzaOf(["scrypt", salt, "010"])]],
    ["the work factor +10", [stanzaOf(["scrypt", salt, "+10"])]],
    ["the work factor -10", [stanzaOf(["scrypt", salt, "-10"])]],
    ["the work factor 0xa", [stanzaOf(["scrypt", salt, "0xa"])]],
    ["the work factor aaaa10", [stanzaOf(["scrypt", salt, "aaaa10"])]],
  ])("refuses a file with %s", async (_, stanzas) => {
    await expect(opened(stanzas)).rejects.toThrow("stanza of the passphrase is invalid");
  });

  // A work factor doubles the memory. The library has the same limit.
  it.each(["21", "23", "64", "9223372036854775818"])(
    "refuses the work factor %s before it takes memory",
    async (factor) => {
      await expect(opened([stanzaOf(["scrypt", salt, factor])])).rejects.toThrow("too high");
    },
  );
});
