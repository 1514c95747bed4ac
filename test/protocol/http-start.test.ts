import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { startHttp, tokens } from "./http-server.ts";
import { runHere } from "./program.ts";

const withoutTokens = { HTTP_TOKENS: "" };

async function statusWith(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  return response.status;
}

describe.concurrent("serve --http", () => {
  it("creates a token at the first start, prints it once and stores only its hash [http.first-token]", async (t) => {
    const home = newHome(t);
    const first = startHttp(home, { env: withoutTokens });
    const url = await first.url;
    const token = /^ {2}([\w-]{43})$/m.exec(first.said.stderr)?.[1] ?? "none";
    // 400: let in, and told that a session is missing.
    expect(await statusWith(url, token)).toBe(400);
    expect(await statusWith(url, `${token}x`)).toBe(401);
    await first.stop();

    const second = startHttp(home, { env: withoutTokens });
    expect(await statusWith(await second.url, token)).toBe(400);
    await second.stop();
    expect(second.said.stderr).not.toContain("  ");
    expect(second.said.stderr + first.said.stdout + second.said.stdout).not.toContain(token);
    for (const name of readdirSync(home.dir)) {
      expect(readFileSync(join(home.dir, name)).includes(token), name).toBe(false);
    }
    expect(statSync(join(home.dir, "http-token.sha256")).mode & 0o777).toBe(0o600);

    // If HTTP_TOKENS is set, the created token is no longer valid.
    const third = startHttp(home);
    expect(await statusWith(await third.url, token)).toBe(401);
    expect(await statusWith(await third.url, tokens.alice)).toBe(400);
  });

  it("creates one token if two processes start at the same time", async (t) => {
    const home = newHome(t);
    const both = [startHttp(home, { env: withoutTokens }), startHttp(home, { env: withoutTokens })];
    const urls = await Promise.all(both.map(({ url }) => url));
    const told = both.flatMap(({ said }) => [...said.stderr.matchAll(/^ {2}([\w-]{43})$/gm)]);
    expect(told).toHaveLength(1);
    const statuses = urls.map((url) => statusWith(url, told[0]?.[1] ?? ""));
    expect(await Promise.all(statuses)).toEqual([400, 400]);
  });

  it("reports a port in use in one sentence, and ends with 1", async (t) => {
    const home = newHome(t);
    const other = createServer().listen(0, "127.0.0.1");
    home.later(() => other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await runHere(home, ["serve", "--http", "--port", String(port)], {
      env: { HTTP_TOKENS: `alice:${tokens.alice}` },
    });
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `HTTP_PORT: another program listens at 127.0.0.1:${port} already. Nothing was started. Stop that program, or set HTTP_PORT to another port.\n`,
    });
  });

  it.for([
    ["an address that others reach, without PUBLIC_URL", ["--host", "0.0.0.0"], {}, "PUBLIC_URL"],
    ["a PUBLIC_URL without TLS", [], { PUBLIC_URL: "http://mcp.example.org" }, "PUBLIC_URL"],
    ["a port that is none", ["--port", "http"], {}, "HTTP_PORT"],
    ["a token that is short", [], { HTTP_TOKENS: "alice:short" }, "HTTP_TOKENS"],
    ["a caller called local", [], { HTTP_TOKENS: `local:${tokens.alice}` }, "HTTP_TOKENS"],
    [
      "a token that an approver has as secret",
      [],
      { HTTP_TOKENS: "alice:opensesame-operator-secret" },
      "APPROVERS",
    ],
  ] as const)(
    "refuses to start with %s, and names the setting [http.exposed]",
    async ([, args, env, name], t) => {
      const home = newHome(t);
      const ended = await runHere(home, ["serve", "--http", ...args], { env: { ...env } });
      expect(ended.code).toBe(1);
      expect(ended.stdout).toBe("");
      expect(ended.stderr).toContain(`  ${name} `);
      expect(ended.stderr).not.toContain(tokens.alice);
      expect(readdirSync(home.dir)).not.toContain("http-token.sha256");
    },
  );

  it("accepts --host and --port only together with --http", async (t) => {
    const ended = await runHere(newHome(t), ["serve", "--port", "9999"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("serve --http");
  });

  it("answers ok at /healthz, even with a probe's host name", async (t) => {
    const home = newHome(t);
    const server = startHttp(home);
    const response = await fetch(new URL("/healthz", await server.url));
    expect([response.status, await response.text()]).toEqual([200, "ok\n"]);
    expect(server.said.stdout).toBe("");
  });
});
