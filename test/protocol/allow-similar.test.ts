import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { newestTicket, operatorSecret, storedStatus } from "./home.ts";
import { homeWithPolicy } from "./policy-home.ts";
import { decideHere, runHere } from "./program.ts";
import { dialogOf, raw2025Here } from "./raw-server.ts";

const policy = { riskFloors: { write_file: "high" } };

describe.concurrent("allow similar [rules.similar]", () => {
  it("at the terminal describes the rule, allows five more calls in that folder, and is stored", async (t) => {
    const home = homeWithPolicy(t, policy);
    const file = join(home.dir, "policy.json");
    const before = readFileSync(file, "utf8");
    const client = await connectHere(home, "v2 legacy");
    const write = (key: string) => client.call("write_file", { key, content: "x" });
    const { id } = approvalOf(await write("notes/0.md"));
    const shown = await runHere(home, ["approvals", "show", id]);
    expect(shown.stdout).toContain(
      "For 15 minutes, up to 5 more calls of write_file by local run without your approval: key directly in the folder notes/, any content",
    );
    const allow = ["approvals", "approve", id, "--similar"];
    expect((await runHere(home, allow)).stderr).toContain("needs a person at a terminal");
    const input = `${operatorSecret}\n`;
    expect(await runHere(home, [...allow, "--secret-stdin"], { input })).toMatchObject({
      code: 0,
    });

    for (const key of ["notes/old/1.md", "1.md"]) {
      expect((await write(key)).error?.kind).toBe("approval_required");
    }
    for (const key of ["notes/1.md", "notes/2.md"]) {
      expect((await write(key)).isError).toBe(false);
    }
    // Another program has a turn of its own: five calls that need approval are all that one turn has.
    const other = await raw2025Here(home, { elicitation: false });
    const last = (key: string) => other.answer("write_file", { key, content: "x" });
    for (const key of ["notes/3.md", "notes/4.md", "notes/5.md"]) {
      expect((await last(key)).isError).toBe(false);
    }
    expect((await last("notes/6.md")).error?.kind).toBe("approval_required");

    expect(await home.sql("SELECT tool, uses, channel, by FROM rules")).toEqual([
      { tool: "write_file", uses: 5, channel: "terminal", by: "operator" },
    ]);
    expect((await runHere(home, ["policy", "list"])).stdout).toMatch(
      /^ru_\w+ {2}\(similar\) {2}it is used up\n/,
    );
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("covers exactly that file for a file at the root", async (t) => {
    const home = homeWithPolicy(t, policy);
    const client = await connectHere(home, "v2 legacy");
    const write = (key: string, content: string) => client.call("write_file", { key, content });
    const { id } = approvalOf(await write("a.md", "one"));
    const allow = ["approvals", "approve", id, "--similar", "--secret-stdin"];
    expect((await runHere(home, allow, { input: `${operatorSecret}\n` })).code).toBe(0);
    expect((await write("a.md", "one")).isError).toBe(false);
    expect((await write("a.md", "two")).isError).toBe(false);
    expect((await write("b.md", "two")).error?.kind).toBe("approval_required");
  });

  it("is never offered in a client's dialog", async (t) => {
    const home = homeWithPolicy(t, policy);
    const server = await raw2025Here(home, { elicitation: true });
    const call = server.callTool("write_file", { key: "notes/a.md", content: "x" });
    const { id } = await dialogOf(server);
    const asked = server.messages.find(({ method }) => method === "elicitation/create");
    expect(asked?.params).toMatchObject({
      requestedSchema: {
        properties: {
          decision: {
            oneOf: [{ const: "approve" }, { const: "deny" }, { const: "deny_may_ask_again" }],
          },
        },
        required: ["decision"],
      },
    });
    server.reply(id, { action: "accept", content: { decision: "similar" } });
    await call;
    expect(await storedStatus(home, await newestTicket(home))).toBe("pending");
    expect(await home.sql("SELECT * FROM rules")).toEqual([]);
  });

  it("is refused for removals, and then nothing is decided", async (t) => {
    const home = homeWithPolicy(t, {});
    const client = await connectHere(home, "v2 legacy");
    await client.call("write_file", { key: "a.md", content: "x" });
    const { id } = approvalOf(await client.call("delete_file", { key: "a.md" }));
    const allow = ["approvals", "approve", id, "--similar", "--secret-stdin"];
    const { code, stderr } = await runHere(home, allow, { input: `${operatorSecret}\n` });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        "Similar calls of this request cannot be allowed. Nothing was decided.",
      ),
    ]);
    expect(await home.sql("SELECT * FROM rules")).toEqual([]);
    await decideHere(home, "approve", id);
  });
});
