import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { bearer, startHttp } from "./http-server.ts";

const reloading = fileURLToPath(new URL("./reloading-server.mjs", import.meta.url));

/**
 * Sends a request whose response is a stream on which the client only listens: a GET in 2025, `subscriptions/listen` in
 * 2026.
 */
function isListening(init: RequestInit | undefined): boolean {
  const { method, body } = init ?? {};
  return method === "GET" || (typeof body === "string" && body.includes('"subscriptions/listen"'));
}

/** Replaces `Promise.withResolvers`, which Node 20 does not have. */
function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  return { promise: new Promise((done) => (resolve = done)), resolve: () => resolve() };
}

describe.each(["legacy", "modern"] as const)("over HTTP, in the %s era", (era) => {
  it("every listening client is notified when the list of tools changes [docs.list-changed]", async (t) => {
    const home = newHome(t);
    const server = startHttp(home, { command: [reloading] });
    const url = new URL(await server.url);

    const connect = async () => {
      const changed = signal();
      const listening = signal();
      const client = new Client(
        { name: "list-test", version: "1.0.0" },
        {
          versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
          listChanged: {
            tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changed.resolve() },
          },
        },
      );
      await client.connect(
        new StreamableHTTPClientTransport(url, {
          requestInit: { headers: bearer("alice") },
          fetch: async (input, init) => {
            const response = await fetch(input, init);
            if (isListening(init) && response.ok) listening.resolve();
            return response;
          },
        }),
      );
      home.later(() => client.close());
      const names = async () =>
        (await client.listTools(undefined, { cacheMode: "bypass" })).tools.map(({ name }) => name);
      return {
        names,
        before: await names(),
        changed: changed.promise,
        listening: listening.promise,
      };
    };
    const clients = [await connect(), await connect()];
    await Promise.all(clients.map(({ listening }) => listening));
    server.child.kill("SIGUSR2");
    for (const { names, before, changed } of clients) {
      await changed;
      expect(await names()).toEqual(before.slice(1));
    }
  });
});
