import { type ServerResponse, createServer } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createSignIn } from "../../src/adapters/mcp-client/sign-in/renew-sign-in.ts";
import type { StoredSignIn } from "../../src/ports/upstream/sign-in-store.ts";
import { listenLocally } from "../fakes/listen-locally.ts";
import { quietLog } from "../fakes/quiet-log.ts";

type T = { onTestFinished(cleanUp: () => unknown): void };

const ok = (response: ServerResponse, body: object, status = 200, headers = {}): void =>
  void response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body));

/** Starts an authorization server, and stores a sign-in there whose token is valid for this time. */
async function signedInFor(
  t: T,
  seconds: number,
  answer: (response: ServerResponse, body: string) => void,
) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      answer(response, body);
    });
  });
  const issuer = await listenLocally(server, (stop) => t.onTestFinished(stop));
  const time = { now: 1_000_000 };
  let value: StoredSignIn | undefined = {
    issuer,
    resource: issuer,
    client: { client_id: "c" },
    tokens: { access_token: "first", token_type: "Bearer", refresh_token: "SECRET-REFRESH" },
    endsAt: time.now + seconds * 1_000,
    lifeMs: seconds * 1_000,
  };
  let queue = Promise.resolve();
  const store = {
    read: () => value,
    change: async (work: (now: typeof value) => Promise<typeof value>) => {
      const mine = queue.then(async () => void (value = await work(value)));
      queue = mine.catch(() => undefined);
      await mine;
    },
  };
  const logged: unknown[] = [];
  const log = { ...quietLog, warn: (...line: unknown[]) => void logged.push(line) };
  const signIn = createSignIn("far", { url: `${issuer}/mcp`, store, log, now: () => time.now });
  return { signIn, bodies, time, logged: () => JSON.stringify(logged), issuer };
}

const given = { access_token: "second", token_type: "Bearer", expires_in: 3_600 };

describe("the token of a sign-in", () => {
  it("is renewed once for 16 calls, for the resource as the server wrote it", async (t) => {
    const { signIn, bodies, issuer } = await signedInFor(t, 1, (response) => ok(response, given));
    const tokens = await Promise.all(Array.from({ length: 16 }, () => signIn.renewed("first")));
    expect(new Set(tokens)).toEqual(new Set(["second"]));
    expect(bodies).toHaveLength(1);
    // The renewal added a slash, and a strict server refuses another resource (RFC 8707).
    expect(new URLSearchParams(bodies[0]).get("resource")).toBe(issuer);
  });

  // Servers in other languages write null for an absent field. The new token was dropped, and the old one was used up.
  it("is renewed by a response with null for absent fields", async (t) => {
    const nulls = { scope: null, refresh_token: null, id_token: null };
    const { signIn, bodies } = await signedInFor(t, 1, (response) =>
      ok(response, { ...given, ...nulls }),
    );
    expect(await signIn.renewed("first")).toBe("second");
    await signIn.renewed("second");
    expect(new URLSearchParams(bodies[1]).get("refresh_token")).toBe("SECRET-REFRESH");
  });

  // A token of 30 s was "about to expire" at each request, so each request renewed it.
  it("is used for three quarters of a short life", async (t) => {
    const { signIn, bodies, time } = await signedInFor(t, 30, (response) => ok(response, given));
    time.now += 22_000;
    expect(await signIn.token()).toBe("first");
    expect(bodies).toEqual([]);
    time.now += 1_000;
    expect(await signIn.token()).toBe("second");
  });
});

describe("a renewal that is refused", () => {
  // The dead refresh token was sent again at each call, and the log had what the server repeated of it.
  it("is not tried again, and no secret is logged", async (t) => {
    const { signIn, bodies, logged } = await signedInFor(t, 3_600, (response, body) =>
      ok(response, { error: "invalid_grant", error_description: body, error_uri: null }, 400),
    );
    for (let call = 0; call < 3; call += 1) expect(await signIn.renewed("first")).toBe(undefined);
    expect(bodies).toHaveLength(1);
    expect(logged()).not.toContain("SECRET");
    expect(logged()).toContain("answered with the error invalid_grant");
  });
});

describe("a renewal that fails", () => {
  const html = (response: ServerResponse) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<h1>SECRET</h1>");

  // The result named `login`, and each call asked the failing server.
  it.for([
    ["with an error of the server", "the HTTP status 500", (r: ServerResponse) => ok(r, {}, 500)],
    ["with a page", "a form that is not OAuth", html],
  ] as const)("%s leaves the sign-in as it is", async ([, words, answer], t) => {
    let isUp = false;
    const { signIn, bodies, time, logged } = await signedInFor(t, 3_600, (response) =>
      isUp ? ok(response, given) : answer(response),
    );
    const fault = { reason: expect.stringContaining(words) as string, retryAfterSeconds: 10 };
    for (let call = 0; call < 3; call += 1)
      await expect(signIn.renewed("first")).rejects.toMatchObject(fault);
    expect(bodies).toHaveLength(1);
    expect(logged()).not.toContain("SECRET");
    isUp = true;
    time.now += 10_000;
    expect(await signIn.renewed("first")).toBe("second");
  });

  it("waits as long as the server asks for", async (t) => {
    const { signIn } = await signedInFor(t, 3_600, (response) =>
      ok(response, { error: "slow_down" }, 429, { "retry-after": "60" }),
    );
    await expect(signIn.renewed("first")).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });
});
