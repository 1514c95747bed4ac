import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { PasskeyCeremony } from "../../ports/people/passkeys.ts";

/** How long a challenge is valid: a page may stay open as long as the consent page. Milliseconds. */
const challengeMs = 15 * 60_000;
/** How long a device waits for the person. Milliseconds. */
const answerMs = 5 * 60_000;
/** Bytes of a challenge: its time, a random part and the signature. */
const lengths = { at: 6, random: 16, mac: 16 } as const;
const signedLength = lengths.at + lengths.random;

/** An id is at most 1 023 bytes (WebAuthn, section 4). */
const credentialForm = /^[\w-]{1,1364}$/;

/** Loaded at the first use, because it is large and many servers have no passkeys. */
const load = () => import("@simplewebauthn/server");

/**
 * Creates the requests and checks of WebAuthn. A challenge is signed instead of stored, so every replica can check it.
 * Its time makes each challenge valid only once for each passkey.
 */
export function createPasskeyCeremony(settings: {
  /** `https://host`, without a slash at the end. */
  origin: string;
  key: Uint8Array;
  clock?: () => Date;
}): PasskeyCeremony {
  const { origin, key, clock = () => new Date() } = settings;
  const rpId = new URL(origin).hostname;

  const sign = (purpose: string, signed: Uint8Array): Buffer =>
    createHmac("sha256", key)
      .update(`passkey ${purpose} `)
      .update(signed)
      .digest()
      .subarray(0, lengths.mac);

  function newChallenge(purpose: string): Buffer<ArrayBuffer> {
    const at = Buffer.alloc(lengths.at);
    at.writeUIntBE(clock().getTime(), 0, lengths.at);
    const signed = Buffer.concat([at, randomBytes(lengths.random)]);
    return Buffer.concat([signed, sign(purpose, signed)]);
  }

  /** Returns the time of a challenge. Undefined if it is not ours, has another purpose or has expired. */
  function madeAt(purpose: string, challenge: string): Date | undefined {
    const bytes = Buffer.from(challenge, "base64url");
    if (bytes.length !== signedLength + lengths.mac) return undefined;
    const signed = bytes.subarray(0, signedLength);
    if (!timingSafeEqual(sign(purpose, signed), bytes.subarray(signedLength))) return undefined;
    const at = bytes.readUIntBE(0, lengths.at);
    return clock().getTime() - at < challengeMs ? new Date(at) : undefined;
  }

  const expected = { expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true };

  return {
    askToSignIn: async (purpose) => {
      const { generateAuthenticationOptions } = await load();
      const options = await generateAuthenticationOptions({
        rpID: rpId,
        challenge: newChallenge(purpose),
        userVerification: "required",
        timeout: answerMs,
      });
      return JSON.stringify(options);
    },

    askToAdd: async (purpose, { approver, known }) => {
      const { generateRegistrationOptions } = await load();
      const options = await generateRegistrationOptions({
        rpName: "Countersign",
        rpID: rpId,
        userName: approver,
        userDisplayName: approver,
        // Always the same for one approver, so that a device replaces its old passkey instead of adding a second one.
        userID: new Uint8Array(createHmac("sha256", key).update(`user ${approver}`).digest()),
        challenge: newChallenge(purpose),
        attestationType: "none",
        excludeCredentials: known.map((id) => ({ id })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        timeout: answerMs,
      });
      return JSON.stringify(options);
    },

    credentialIn: (answer) => parsed(answer)?.id,

    checkSignIn: async (purpose, answer, { credentialId, publicKey, counter }) => {
      const response = parsed(answer);
      let challengedAt: Date | undefined;
      const { verifyAuthenticationResponse } = await load();
      const checked = await orUndefined(() =>
        verifyAuthenticationResponse({
          ...expected,
          response: response as unknown as AuthenticationResponseJSON,
          expectedChallenge: (challenge) => {
            challengedAt = madeAt(purpose, challenge);
            return challengedAt !== undefined;
          },
          credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
        }),
      );
      if (checked?.verified !== true || challengedAt === undefined) return undefined;
      return { counter: checked.authenticationInfo.newCounter, challengedAt };
    },

    checkAdded: async (purpose, answer) => {
      const response = parsed(answer);
      const { verifyRegistrationResponse } = await load();
      const checked = await orUndefined(() =>
        verifyRegistrationResponse({
          ...expected,
          response: response as unknown as RegistrationResponseJSON,
          expectedChallenge: (challenge) => madeAt(purpose, challenge) !== undefined,
        }),
      );
      if (checked?.verified !== true) return undefined;
      const { id: credentialId, publicKey, counter } = checked.registrationInfo.credential;
      return { credentialId, publicKey, counter };
    },
  };
}

/** Returns a response with the id of a credential. The library checks the rest. */
function parsed(answer: string): { id: string } | undefined {
  try {
    const found: unknown = JSON.parse(answer);
    if (typeof found !== "object" || found === null || !("id" in found)) return undefined;
    const { id } = found;
    return typeof id === "string" && credentialForm.test(id) ? { ...found, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns undefined for an invalid response. The library throws for these, and anyone can send one. */
async function orUndefined<Result>(check: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}
