import { join } from "node:path";
import { operatorSecret } from "../protocol/home.ts";
import { startHttp } from "../protocol/http-server.ts";
import { browser } from "../protocol/oauth-host.ts";
import { startTlsProxy } from "../servers/tls-proxy.ts";
import { recorded } from "./recorder.ts";
import { type World, newWorld } from "./world.ts";

export interface SignInWorld extends World {
  /** The proxy's certificate, which the client must trust. */
  cert: string;
  /** Returns a watcher of what a client prints: it opens the address of the sign-in once, as a person in a browser. */
  person: () => (said: string) => void;
}

const metadataPaths = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
] as const;

async function metadataWithoutDocuments(server: string): Promise<string> {
  const response = await fetch(new URL(metadataPaths[0], server));
  const { client_id_metadata_document_supported: isSupported, ...rest } =
    (await response.json()) as Record<string, unknown>;
  if (isSupported !== true) throw new Error("The server reads no documents.");
  return JSON.stringify(rest);
}

/**
 * Starts a server that clients reach over HTTPS through a proxy, and at which they sign in.
 * @param identity how clients identify themselves. With `registration` the proxy hides that the server reads client
 * documents, so a client with a document on the internet registers.
 */
export async function newSignInWorld(
  t: Parameters<typeof newWorld>[0],
  identity: "document" | "registration",
): Promise<SignInWorld> {
  const world = await newWorld(t, "stdio");
  let metadata: string | undefined;
  const proxy = await startTlsProxy(world.data, ({ url = "" }) =>
    metadata !== undefined && metadataPaths.some((path) => url.startsWith(path))
      ? { status: 200, body: metadata }
      : undefined,
  );
  world.home.later(proxy.close);
  const env = { OAUTH: "on", PUBLIC_URL: proxy.origin };
  const direct = await startHttp(world.home, { env }).url;
  if (identity === "registration") metadata = await metadataWithoutDocuments(direct);
  const recorder = await recorded(direct, join(world.data, "rpc.log"));
  world.home.later(recorder.close);
  proxy.forwardTo(new URL(recorder.url).origin);
  const own = new URL(direct).origin;
  const signIn = async (address: string): Promise<void> => {
    const person = browser(
      (url, init) => fetch(String(url).replace(proxy.origin, own), { redirect: "manual", ...init }),
      proxy.origin,
    );
    const page = await person.open(address);
    const form = { verdict: "allow", scope: "mcp", secret: operatorSecret };
    await fetch(await person.decide(page, form));
  };
  return {
    ...world,
    server: { ...world.server, url: `${proxy.origin}/mcp` },
    connect: (client) => world.connect(client, `${proxy.origin}/mcp`),
    cert: proxy.cert,
    person: () => {
      let wasOpened = false;
      return (said) => {
        const [address] =
          /https:\/\/localhost:\d+\/oauth\/authorize\?[\w%.~+&=-]+(?=[^\w%.~+&=-])/.exec(said) ??
          [];
        if (address === undefined || wasOpened) return;
        wasOpened = true;
        signIn(address).catch((error: unknown) => console.error("the sign-in failed", error));
      };
    },
  };
}
