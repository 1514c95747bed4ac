import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import { type Home, newHome } from "./home.ts";
import { startHttpHere } from "./http-server.ts";
import { secrets, sendTo } from "./oauth-host.ts";

/** Starts Countersign itself as an upstream server with OAuth, behind TLS on this machine. */
export async function startProtected(home: Home) {
  const far = newHome({ onTestFinished: (cleanUp) => home.later(cleanUp) });
  const { cert, key } = makeCertificate(far.dir, ["127.0.0.1"]);
  let plain = "";
  const asked: string[] = [];
  const credentials: string[] = [];
  const bodies: string[] = [];
  const proxy = createServer(
    { cert: readFileSync(cert), key: readFileSync(key) },
    (incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      const { method, headers } = incoming;
      if (headers.authorization !== undefined) credentials.push(headers.authorization);
      const onward = request(new URL(incoming.url ?? "/", plain), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.once("error", () => outgoing.destroy());
      void text(incoming).then((body) => bodies.push(body));
      incoming.pipe(onward);
    },
  ).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  home.later(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  const origin = `https://localhost:${typeof address === "object" ? address?.port : ""}`;
  const env = {
    OAUTH: "on",
    PUBLIC_URL: origin,
    APPROVERS: `alice:${secrets.alice}`,
  };
  plain = await startHttpHere(far, { env }).url;
  home.env["NODE_EXTRA_CA_CERTS"] = cert;
  const inner = new URL(plain).origin;
  return {
    url: `${origin}/mcp`,
    origin,
    asked,
    /** Every `Authorization` header that it received. */
    credentials,
    /** The content of every request. */
    bodies,
    far,
    send: (url: string | URL, init?: RequestInit) =>
      sendTo(plain)(String(url).replace(origin, inner), init),
  };
}

/** Withdraws the access token, and waits until it is refused: it is accepted for one more second. */
export async function withdrawToken(
  server: Awaited<ReturnType<typeof startProtected>>,
): Promise<void> {
  await server.far.sql("DELETE FROM oauth_records WHERE model = 'AccessToken'");
  const authorization = server.credentials.at(-1) ?? "";
  const status = async () =>
    (await server.send(server.url, { method: "POST", headers: { authorization } })).status;
  await expect.poll(status).toBe(401);
}
