import { join } from "node:path";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { approvalOf } from "./answer.ts";
import { type Reaction, connect } from "./clients.ts";
import { type Home, newHome, storedStatus } from "./home.ts";
import { enter, homeWithBrowser, openPage, redirectOf, timesOpened } from "./opened-page.ts";
import { rewrite } from "./policy-home.ts";
import { type Running, runHere, startCommand, startCommandHere } from "./program.ts";
import { raw2025Here } from "./raw-server.ts";

const key = "plan.md";

interface Asking {
  elicitation?: Reaction;
  /** `here` unless the process is the subject. */
  over?: "stdio" | "here";
}

async function askIn(home: Home, { elicitation, over = "here" }: Asking = {}) {
  const client = await connect(home, "v2 legacy", { over, ...(elicitation && { elicitation }) });
  await client.call("write_file", { key, content: "a plan" });
  return { client, answer: await client.call("delete_file", { key }) };
}

const openIt = ["approvals", "open"];
const printed = ({ said }: Running): string => said.stdout + said.stderr;

const opened = (home: Home, times: number) =>
  vi.waitFor(() => expect(timesOpened(home)).toBe(times), 30_000);

describe.concurrent("the browser", () => {
  it("is opened if the client cannot ask the person, through a file for this user alone", async (t) => {
    const home = homeWithBrowser(t);
    const { answer } = await askIn(home);
    await opened(home, 1);
    expect(redirectOf(home).mode).toBe(0o600);
    expect(redirectOf(home).address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{32}$/);
    expect(answer.error?.kind).toBe("approval_required");
  });

  it("is opened after `not here`, and not during a dialog", async (t) => {
    const declining = homeWithBrowser(t);
    await askIn(declining, { elicitation: "decline" });
    await opened(declining, 1);
    const approving = homeWithBrowser(t);
    expect((await askIn(approving, { elicitation: "approve" })).answer.isError).toBe(false);
    expect(timesOpened(approving)).toBe(0);
  });

  it("stays closed for a request that only other channels may decide [directions.true]", async (t) => {
    const home = homeWithBrowser(t, { POLICY_FILE: "policy.json" });
    rewrite(home, { channels: { page: "never" } });
    await askIn(home);
    const open = startCommandHere(home, openIt);
    await vi.waitFor(() => expect(printed(open)).toContain("half an hour"), 30_000);
    await opened(home, 1);
  });

  it("is opened once by several processes, and again when no page was seen for a while", async (t) => {
    const home = homeWithBrowser(t);
    const { client } = await askIn(home, { over: "stdio" });
    await opened(home, 1);
    const { client: other } = await askIn(home, { over: "stdio" });
    await Promise.all([client, other].map((each) => each.call("delete_file", { key })));
    expect(timesOpened(home)).toBe(1);
    const later = "UPDATE leases SET until = until - 75000 WHERE name LIKE 'approval page %'";
    await home.sql(later);
    await other.call("delete_file", { key });
    await opened(home, 2);
    const page = await openPage(home);
    await page.list();
    // The process that opened the page has ended, but the page was seen.
    await home.sql(later.replace("%", "opening"));
    await client.call("delete_file", { key });
    await other.call("delete_file", { key });
    expect(timesOpened(home)).toBe(2);
    // A browser lets a hidden page poll once a minute: it was counted as closed just before.
    await home.sql("UPDATE leases SET until = until - 65000 WHERE name = 'approval page seen'");
    await client.call("delete_file", { key });
    expect(timesOpened(home)).toBe(2);
  });

  it.for([
    ["never", { APPROVAL_OPEN: "never" }],
    ["auto without a desktop", { APPROVAL_OPEN: "auto" }],
    ["auto in CI", { APPROVAL_OPEN: "auto", DISPLAY: ":0", CI: "1" }],
    ["auto over SSH", { APPROVAL_OPEN: "auto", DISPLAY: ":0", SSH_CONNECTION: "a 1 b 2" }],
  ] as const)("stays closed: %s", async ([, env], t) => {
    const home = newHome(t, env);
    const { answer } = await askIn(home);
    expect(answer.error?.kind).toBe("approval_required");
    expect(() => redirectOf(home)).toThrow("ENOENT");
  });

  it.for([
    ["is not here", "/nowhere/no-browser", "cannot be started on this machine"],
    ["fails", "false", "The command false ended with code 1, so no page opened."],
  ] as const)(
    "is not opened by a command that %s: the call is answered, and the log says why [directions.true]",
    async ([, command, said], t) => {
      const home = homeWithBrowser(t, { APPROVAL_OPEN: command });
      const server = await raw2025Here(home, { elicitation: false });
      await server.answer("write_file", { key, content: "a plan" });
      const asked = await server.answer("delete_file", { key });
      expect(asked.error?.kind).toBe("approval_required");
      await vi.waitFor(() => expect(server.said.stderr).toContain(said), 30_000);
      if (command !== "false") {
        expect(asked.text).not.toContain("browser");
        expect((await runHere(home, ["doctor"])).stdout).toContain("approval page: broken.");
      }
      const opening = startCommandHere(home, openIt);
      await vi.waitFor(() => expect(printed(opening)).toContain(said), 30_000);
      expect(printed(opening)).toContain(join(home.dir, "approvals.html"));
    },
  );

  it("admits one per code, and neither the code nor the page's address reaches the client", async (t) => {
    const home = homeWithBrowser(t, { LOG_LEVEL: "debug" });
    const server = await raw2025Here(home, { elicitation: false });
    const call = (name: string, args: object) =>
      server.request("tools/call", { name, arguments: args });
    await call("write_file", { key, content: "a plan" });
    await call("delete_file", { key });
    const page = await openPage(home);
    const { address } = redirectOf(home);
    await expect(enter(address)).rejects.toThrow("403");
    await call("delete_file", { key });
    await page.list();
    const all = server.said.stdout + server.said.stderr;
    for (const secret of [address, page.address, new URL(address).port]) {
      expect(all).not.toContain(secret.split("/").at(-1));
    }
  });

  it("shows a page that ends with its server", async (t) => {
    const home = homeWithBrowser(t);
    const { client } = await askIn(home);
    const page = await openPage(home);
    expect(await page.list()).toContain("Waiting for you: 1");
    await client.close();
    await expect(page.list()).rejects.toThrow("fetch failed");
  });
});

describe.concurrent("countersign approvals open", () => {
  async function withRequest(t: TestContext) {
    const home = homeWithBrowser(t);
    const quiet = { ...home, env: { ...home.env, APPROVAL_OPEN: "never" } };
    const { client, answer } = await askIn(quiet);
    return { home, client, id: approvalOf(answer).id };
  }

  it("serves the page alone, even without a server", async (t) => {
    const { home, client, id } = await withRequest(t);
    await client.close();
    const command = startCommand(home, openIt);
    const page = await openPage(home);
    expect(await page.decide(id, "deny")).toContain("Denied. Nothing was done.");
    expect(await storedStatus(home, id)).toBe("denied");
    expect(printed(command)).toContain("opens in your browser");
    expect(printed(command)).not.toMatch(/http:|\/open\/|\/s\//);
    command.stop();
    expect((await command.ended).code).toBe(0);
    await expect(page.list()).rejects.toThrow("fetch failed");
  });

  it("names the file if it cannot open a browser", async (t) => {
    const { home } = await withRequest(t);
    const command = startCommandHere(
      { ...home, env: { ...home.env, APPROVAL_OPEN: "never" } },
      openIt,
    );
    await openPage(home);
    await vi.waitFor(
      () => expect(printed(command)).toContain(join(home.dir, "approvals.html")),
      30_000,
    );
    expect(printed(command)).not.toContain("http:");
  });
});
