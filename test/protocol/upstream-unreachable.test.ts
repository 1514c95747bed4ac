import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { expect, it, onTestFinished } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import { type Home, newHome } from "./home.ts";
import { startHttpUpstream } from "./http-upstream.ts";
import { runHere, runProgram } from "./program.ts";
import { writeServers } from "./upstream-home.ts";

const here = () => ({
  onTestFinished: (cleanUp: () => unknown) => onTestFinished(async () => void (await cleanUp())),
});

/** Starts a server over TLS whose certificate is for `localhost` only. */
async function startTls(home: Home): Promise<{ port: number; cert: string }> {
  const { cert, key } = makeCertificate(home.dir, ["localhost"]);
  const settings = { cert: readFileSync(cert), key: readFileSync(key) };
  const server = createServer(settings, (_request, response) => response.end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  home.later(() => server.close());
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, cert };
}

// The reason was always "cannot be reached", and the fix "Start it", also for a server that ran.
it.each<[string, RegExp]>([
  [
    "an unknown certificate",
    /has a certificate that is not trusted\. Nothing was done\. Give Node the server's certificate authority with NODE_EXTRA_CA_CERTS\./,
  ],
  [
    "no TLS",
    /does not speak TLS at this address\. Nothing was done\. Correct "https" or the port in its "url" in servers\.json\./,
  ],
  [
    "no such name",
    /cannot be reached, because (?:its name is not in the DNS|the DNS does not answer)\. Nothing was done\. C/,
  ],
])("a review names the cause and the fix for a server with %s", async (what, problem) => {
  const home = newHome(here());
  const urls: Record<string, () => Promise<string>> = {
    "an unknown certificate": async () => `https://localhost:${(await startTls(home)).port}/mcp`,
    "no TLS": async () => (await startHttpUpstream(home)).url.replace("http:", "https:"),
    "no such name": () => Promise.resolve("http://no-such-host.invalid/mcp"),
  };
  writeServers(home, { web: { url: await urls[what]?.() } });
  const { stderr } = await runHere(home, ["servers", "review", "web"]);
  expect(stderr).toMatch(new RegExp(`The server web ${problem.source}`));
});

it("the doctor names a certificate for another name", async (t) => {
  const home = newHome(t);
  const { port, cert } = await startTls(home);
  home.env["NODE_EXTRA_CA_CERTS"] = cert;
  writeServers(home, { web: { url: `https://127.0.0.1:${port}/mcp` } });
  const { stdout } = await runProgram(home, ["doctor"]);
  expect(stdout).toContain(
    'server web: broken. The server web has a certificate for another name. Nothing was done. Correct the name in its "url" in servers.json, or the certificate of the server.',
  );
});
