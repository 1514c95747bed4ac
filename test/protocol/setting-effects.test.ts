import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startTavily, tavilyKey } from "../servers/tavily.ts";
import { approvalOf } from "./answer.ts";
import { connect, connectHere } from "./clients.ts";
import { ingestHere, newHome, operatorSecret } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { runHere, runProgram } from "./program.ts";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.2");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the status of a request that names this host. */
function statusFor(url: string, host: string, headers: Record<string, string> = {}) {
  return new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { headers: { host, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.once("error", reject).end();
  });
}

describe.concurrent("the built program with its settings in .env", () => {
  it("listens, authorises and shows the page according to the HTTP settings [settings.effect]", async (t) => {
    const port = await freePort();
    const token = "token-in-the-file-0123";
    const home = newHome(t, {
      HTTP_HOST: "127.0.0.2",
      HTTP_PORT: String(port),
      HTTP_TOKENS: `carol:${token}`,
      PUBLIC_URL: "https://me.example.org",
      ALLOWED_HOSTS: "me.example.org",
      APPROVERS: `operator:${operatorSecret}`,
      LOG_LEVEL: "error",
    });
    const server = startHttp(home, { env: { HTTP_TOKENS: "" }, args: [] });
    const url = await server.url;
    expect(url).toBe(`http://127.0.0.2:${port}/mcp`);
    expect(server.said.stderr).toContain("and at https://me.example.org/mcp for other machines");
    const authorization = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    expect(await statusFor(url, "me.example.org", authorization)).toBe(400);
    expect(await statusFor(url, "me.example.org")).toBe(401);
    expect(await statusFor(url, "localhost", authorization)).toBe(403);
    const page = new URL("/approvals", url).href;
    expect(await statusFor(page, "me.example.org")).not.toBe(404);
    const asked = startHttp(home, { env: { HTTP_TOKENS: "" }, args: ["--port", "0"] });
    expect(await asked.url).not.toContain(`:${port}/`);
    expect(await asked.url).toContain("http://127.0.0.2:");
  });

  it("asks, counts, keeps and searches according to the other settings [settings.effect]", async (t) => {
    const tavily = await startTavily();
    const home = newHome(t, {
      DATABASE_URL: "file:other.db",
      APPROVERS: `operator:${operatorSecret}`,
      APPROVAL_TTL_SECONDS: "120",
      APPROVAL_WAIT_MS: "100",
      APPROVAL_OPEN: "never",
      UNDO_HOURS: "2",
      POLICY_FILE: "rules.json",
      SERVERS_FILE: "upstream.json",
      TOOL_CALLS_PER_TURN: "7",
      HIGH_RISK_CALLS_PER_TURN: "1",
      TAVILY_API_KEY: tavilyKey,
      TAVILY_BASE_URL: tavily.url,
      TZ: "Asia/Tokyo",
    });
    home.later(() => tavily.close());
    writeFileSync(join(home.dir, "rules.json"), JSON.stringify({ deny: ["read_file"] }));
    const servers = { mcpServers: { later: { command: "later-server" } } };
    writeFileSync(join(home.dir, "upstream.json"), JSON.stringify(servers), { mode: 0o600 });
    expect((await runProgram(home, ["servers"])).stdout).toContain("later: no reviewed tools");
    const client = await connect(home, "v2 legacy");
    const called = Date.now();
    await client.call("write_file", { key: "a.md", content: "1" });
    const again = await client.call("write_file", { key: "a.md", content: "2" });
    const kept = Date.parse(String(again.output?.["undoUntil"])) - called;
    expect(Math.round(kept / 3_600_000)).toBe(2);
    await client.call("write_file", { key: "b.md", content: "1" });
    expect((await client.call("read_file", { key: "a.md" })).isError).toBe(true);
    const { expiresAt } = approvalOf(await client.call("delete_file", { key: "a.md" }));
    expect(Math.round((Date.parse(expiresAt) - called) / 60_000)).toBe(2);
    expect((await client.call("delete_file", { key: "b.md" })).text).toContain(
      "At most 1 call that needs the user's approval is allowed for one turn, and it is used up.",
    );
    await client.call("web_search", { query: "tides" });
    expect(tavily.requests).toHaveLength(1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.call("list_files")));
    expect(answers.map(({ text }) => text).join()).toContain("At most 7 calls");
    expect(existsSync(join(home.dir, "other.db"))).toBe(true);
    expect((await runProgram(home, ["activity"])).stdout).toContain("Asia/Tokyo");
  });

  it("limits calls per minute [settings.effect]", async (t) => {
    const client = await connectHere(newHome(t, { TOOL_CALLS_PER_MINUTE: "2" }), "v2 legacy");
    const answers = await Promise.all([1, 2, 3].map(() => client.call("list_files")));
    expect(answers.map(({ text }) => text).join()).toContain("At most 2 calls");
  });

  it("receives mail at the address of SMTP_HOST, for INGEST_RECIPIENTS [settings.effect]", async (t) => {
    const port = await freePort();
    const home = newHome(t, {
      SMTP_HOST: "127.0.0.2",
      SMTP_PORT: String(port),
      INGEST_RECIPIENTS: "@only.example",
    });
    const ingest = await ingestHere(home);
    expect(ingest.said.join("\n")).toContain(`127.0.0.2:${port} for @only.example`);
  });

  // Only the environment of the process was read for it.
  it("prints the stack of an unexpected error at LOG_LEVEL=debug [settings.effect]", async (t) => {
    for (const level of ["debug", "info"]) {
      const home = newHome(t, { LOG_LEVEL: level });
      mkdirSync(join(home.dir, "approvals.html"));
      const { code, stderr } = await runProgram(home, ["approvals", "open"]);
      expect(code).toBe(1);
      expect(stderr.includes("\n    at ")).toBe(level === "debug");
    }
  });

  it("keeps its data where the file of --env-file says [settings.effect]", async (t) => {
    const home = newHome(t);
    const [dataDir, file] = [join(home.dir, "elsewhere"), join(home.dir, "my.env")];
    writeFileSync(file, `COUNTERSIGN_DATA_DIR=${dataDir}\n`, { mode: 0o600 });
    home.env["COUNTERSIGN_DATA_DIR"] = "";
    const ended = await runProgram(home, ["approvals", "--env-file", file]);
    expect(ended).toMatchObject({ code: 0, stdout: "No requests are waiting.\n" });
    expect(existsSync(join(dataDir, "countersign.db"))).toBe(true);
  });

  it.for([
    { hides: "on", code: "[hidden: sign-in code]" },
    { hides: "off", code: "739164" },
  ])(
    "shows sign-in codes with MAIL_HIDE_CODES $hides as $code [settings.effect]",
    async ({ hides, code }, t) => {
      const home = newHome(t, { MAIL_HIDE_CODES: hides });
      const path = join(home.dir, "code.eml");
      const head = "From: a@bank.example\r\nTo: me@in.example\r\nSubject: Sign in\r\n";
      writeFileSync(path, `${head}\r\nYour verification code is 739164.\r\n`);
      expect((await runHere(home, ["import", path])).code).toBe(0);
      const client = await connectHere(home, "v2 legacy");
      const { output } = await client.call("search_emails", { query: "verification" });
      const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(output?.["emails"]);
      const { text } = await client.call("read_email", { emailId: id });
      expect(text).toContain(`Your verification code is ${code}.`);
    },
  );

  it("refuses an unknown time zone [settings.effect]", async (t) => {
    const home = newHome(t, { TZ: "Mars/Olympus" });
    const found = await runProgram(home, ["doctor"]);
    expect(found.code).not.toBe(0);
    expect(found.stdout).toContain("TZ must be an IANA name of a time zone");
    const started = await runProgram(home, ["serve"]);
    expect(started.code).not.toBe(0);
    expect(started.stderr).toContain("TZ must be an IANA name of a time zone");
  });

  it("names a time zone of the environment that has no effect [settings.effect]", async (t) => {
    const home = newHome(t);
    const env = { TZ: "Mars/Olympus" };
    const { code, stderr } = await runProgram(home, ["activity"], { env });
    expect([code, stderr]).toEqual([
      0,
      "TZ=Mars/Olympus in the environment is not the name of a time zone. Times are in UTC. Set TZ to a name such as Europe/Berlin.\n",
    ]);
  });
});
