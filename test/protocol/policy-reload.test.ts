import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, vi } from "vitest";
import { connect } from "./clients.ts";
import { newestTicket, runsOf } from "./home.ts";
import { homeWithPolicy, policyRule, rewrite } from "./policy-home.ts";
import { bareEnv, decideAtTerminal, decideHere, program, runHere } from "./program.ts";
import { raw2025Here } from "./raw-server.ts";

/** A change of the file applies within a second. The limit is longer, because the machines are shared. */
const within = { timeout: 30_000 };

describe("a policy file that changes [policy.reload]", () => {
  const names = async (client: Awaited<ReturnType<typeof connect>>): Promise<string[]> =>
    (await client.listTools()).map(({ name }) => name);

  it("narrows immediately, and widens after a person agrees, in every process", async (t) => {
    const home = homeWithPolicy(t, {});
    const [client, other] = await Promise.all([connect(home, "v1"), connect(home, "v1")]);
    expect(await names(client)).toContain("delete_file");
    expect(await names(other)).toContain("delete_file");

    rewrite(home, { deny: ["delete_file"] });
    // Both processes must have narrowed: their limits are compared with what the file newly allows.
    await expect.poll(() => names(client), within).not.toContain("delete_file");
    await expect.poll(() => names(other), within).not.toContain("delete_file");

    rewrite(home, { rules: [policyRule()] });
    const shown = await vi.waitFor(async () => {
      const { stdout } = await runHere(home, ["approvals", "show", await newestTicket(home)]);
      return stdout;
    }, within);
    expect(shown).toContain("Let the policy file allow more");
    expect(shown).toContain("delete_file can be called");
    expect(shown).toContain(
      "the rule tidy approves calls without a question: delete_file: key directly in the folder tmp/",
    );
    expect(await names(client)).not.toContain("delete_file");

    const ticket = await newestTicket(home);
    await decideHere(home, "approve", ticket);
    await expect.poll(() => names(client), within).toContain("delete_file");
    await expect.poll(() => names(other), within).toContain("delete_file");
    const tickets = await home.sql("SELECT ticket_id FROM tickets");
    expect(tickets).toHaveLength(1);
    expect(await runsOf(home, "policy_file")).toBe(1);
  });

  it("stays narrow after a person declines", async (t) => {
    const denied = { deny: ["delete_file", "web_search"] };
    const home = homeWithPolicy(t, denied, { LOG_LEVEL: "info" });
    const server = await raw2025Here(home, { elicitation: false });
    await server.answer("list_files", {});
    rewrite(home, { deny: ["list_files"] });
    const ticket = await vi.waitFor(() => newestTicket(home), within);
    await decideHere(home, "deny", ticket);
    // A server reads the decision twice a second. Until then it is narrow in any case.
    await expect.poll(() => server.said.stderr, within).toContain("the wider policy was denied");
    const { result } = await server.request("tools/list", {});
    const offered = JSON.stringify(result);
    expect(offered).toContain('"write_file"');
    expect(offered).not.toContain('"delete_file"');
    expect(offered).not.toContain('"list_files"');
  });

  it("keeps the last valid one when it becomes invalid or disappears", async (t) => {
    const home = homeWithPolicy(t, { deny: ["delete_file"] });
    const client = await connect(home, "v1");
    await names(client);
    rewrite(home, "{");
    expect((await runHere(home, ["doctor"])).stdout).toContain("policy file: broken");
    rmSync(join(home.dir, "policy.json"));
    rewrite(home, { deny: ["delete_file", "list_files"] });
    await expect.poll(() => names(client), within).not.toContain("list_files");
    expect(await names(client)).not.toContain("delete_file");
  });

  it("keeps the last valid one while it is invalid, and reports it", async (t) => {
    const home = homeWithPolicy(t, { deny: ["delete_file"] });
    const server = await raw2025Here(home, { elicitation: false });
    rewrite(home, '{\n  "deny": []\n  "allow": []\n}');
    await expect
      .poll(() => server.said.stderr, within)
      .toMatch(
        /the policy file cannot be used; its last valid version still applies: \S+policy\.json:3:3 \(line 3/,
      );
    expect((await server.answer("delete_file", { key: "a" })).error?.kind).toBe("not_found");
    const { result } = await server.request("tools/list", {});
    expect(JSON.stringify(result)).not.toContain("delete_file");
    expect(JSON.stringify(result)).toContain("write_file");
  });

  it("lets no new rule approve a call before a person agrees", async (t) => {
    const home = homeWithPolicy(t, {}, { LOG_LEVEL: "info" });
    const server = await raw2025Here(home, { elicitation: false });
    for (const key of ["tmp/a", "tmp/b"]) await server.answer("write_file", { key, content: "x" });
    rewrite(home, { rules: [policyRule()] });
    const ticket = await vi.waitFor(() => newestTicket(home), within);
    const early = await server.answer("delete_file", { key: "tmp/a" });
    expect(early.error?.kind).toBe("approval_required");
    await decideHere(home, "approve", ticket);
    await expect
      .poll(() => server.said.stderr, within)
      .toContain("the wider policy was approved and applies");
    expect((await server.answer("delete_file", { key: "tmp/b" })).isError).toBe(false);
  });

  it("notifies the client, which then lists again", async (t) => {
    const home = homeWithPolicy(t, {});
    const client = new Client({ name: "listener", version: "1.0.0" });
    const env = bareEnv(home.env);
    const server = { command: process.execPath, args: [program, "serve"], env };
    await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
    t.onTestFinished(() => client.close());
    const told = new Promise<void>((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );
    rewrite(home, { deny: ["delete_file"] });
    await told;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("delete_file");
  });

  it("asks only approvers for all callers", async (t) => {
    const alice = "alice-approver-secret";
    const home = homeWithPolicy(t, { deny: ["delete_file"] }, { APPROVERS: `alice:${alice}` });
    const client = await connect(home, "v1");
    await names(client);
    rewrite(home, {});
    const ticket = await vi.waitFor(() => newestTicket(home), within);
    const { code, stderr } = await decideAtTerminal(home, "approve", ticket, alice);
    expect(code).toBe(1);
    expect(stderr).toContain("The approver alice decides only for the caller alice");
    expect((await client.call("check_approval", { approvalId: ticket })).error?.kind).toBe(
      "not_found",
    );
  });
});
