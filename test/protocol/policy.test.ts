import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, connectHere } from "./clients.ts";
import { newHome, operatorSecret, newestTicket, runsOf } from "./home.ts";
import { homeWithPolicy, policyRule, rewrite } from "./policy-home.ts";
import { decideHere, runHere } from "./program.ts";
import { questionOf, raw2026Here } from "./raw-server.ts";

const here = {
  onTestFinished: (cleanUp: () => unknown) => onTestFinished(async () => void (await cleanUp())),
};

describe("an invalid policy file [policy.refused]", () => {
  it.each<[string, string, string]>([
    [
      "a comma too many",
      '{\n  "deny": ["web_search",]\n}',
      ":2:25 (line 2, column 25): a comma must not precede ]",
    ],
    [
      "a misspelt field",
      '{\n  "denny": []\n}',
      ':2:12 (line 2, column 12): there is no "denny" here',
    ],
    [
      "a tool that there is not",
      '{\n  "deny": [\n    "rm"\n  ]\n}',
      ":3:5 (line 3, column 5): deny[0]: ",
    ],
    [
      "a field that stands twice",
      '{\n  "deny": [],\n  "deny": []\n}',
      ':3:3 (line 3, column 3): "deny" appears here a second time',
    ],
    [
      "a rule without a condition for an argument",
      JSON.stringify({ rules: [policyRule({ when: {} })] }),
      'rules[0].when.key: has no condition; write "any"',
    ],
    [
      "a rule that never ends",
      JSON.stringify({ rules: [policyRule({ expires: "2999-01-01T00:00:00Z" })] }),
      "expires must be within 366 days",
    ],
    [
      "a rule without a number of uses",
      JSON.stringify({ rules: [policyRule({ uses: 0 })] }),
      "rules[0].uses",
    ],
    [
      "a rule for the programs of a name",
      JSON.stringify({ rules: [policyRule({ clients: ["x"] })] }),
      'there is no "clients" here',
    ],
  ])("refuses the start, with the place: %s", async (_what, text, words) => {
    const home = newHome(here, { POLICY_FILE: "policy.json" });
    rewrite(home, text);
    const { code, stdout, stderr } = await runHere(home, ["serve"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${join(home.dir, "policy.json")}`);
    expect(stderr).toContain(words);
  });

  it.each<[string, (path: string) => void, string]>([
    ["others may change", (path) => chmodSync(path, 0o620), "can be changed by other users"],
    ["is not there", (path) => rmSync(path), "does not exist"],
    ["is a folder", (path) => (rmSync(path), mkdirSync(path)), "is not a file"],
    ["is huge", (path) => writeFileSync(path, " ".repeat(1_100_000)), "is larger than 1 MiB"],
    [
      "is not UTF-8",
      (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])),
      "is not UTF-8",
    ],
  ])("refuses the start if it %s", async (_what, spoil, words) => {
    const home = newHome(here, { POLICY_FILE: "policy.json" });
    rewrite(home, {});
    spoil(join(home.dir, "policy.json"));
    const { code, stderr } = await runHere(home, ["serve"]);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  });

  it("follows a link, and refuses one into a folder that others can change", async (t) => {
    const home = newHome(t, { POLICY_FILE: "policy.json" });
    mkdirSync(join(home.dir, "open"));
    writeFileSync(join(home.dir, "open", "real.json"), "\uFEFF{}", { mode: 0o600 });
    symlinkSync(join(home.dir, "open", "real.json"), join(home.dir, "policy.json"));
    expect((await runHere(home, ["policy", "check"])).code).toBe(0);
    chmodSync(join(home.dir, "open"), 0o777);
    const { code, stderr } = await runHere(home, ["policy", "check"]);
    expect(code).toBe(1);
    expect(stderr).toContain("is in a folder that other users can change");
  });
});

describe("a policy [policy.lists]", () => {
  it("removes a denied tool from the list, the instructions and the calls", async (t) => {
    const home = homeWithPolicy(t, { deny: ["delete_file"], riskFloors: { write_file: "high" } });
    for (const kind of ["v2 legacy", "v2 pinned"] as const) {
      const client = await connectHere(home, kind);
      const tools = await client.listTools();
      expect(tools.map(({ name }) => name)).not.toContain("delete_file");
      const write = tools.find(({ name }) => name === "write_file");
      expect(write?._meta["dev.countersign/risk"]).toBe("high");
      // Some clients drop the instructions, which say this too.
      expect(write?.description).toContain("repeat the call once approved");
      expect(client.instructions()?.split("\n")[1]).not.toContain("delete_file");
      expect(client.instructions()).toContain("write_file (high)");
      const { error, text } = await client.call("delete_file", { key: "a" });
      expect(error?.kind).toBe("not_found");
      expect(text.split("\n").at(-1)).not.toContain("delete_file");
      await client.close();
    }
  });

  it("narrows for a client by its name, and for no other", async (t) => {
    const home = homeWithPolicy(t, {
      allow: ["list_files", "read_file", "write_file"],
      clients: { "protocol-test": { allow: ["list_files", "delete_file"] } },
      principals: { local: { deny: ["read_file"] } },
    });
    const client = await connectHere(home, "v2 pinned");
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["list_files"]);
    expect((await client.call("write_file", { key: "a", content: "b" })).error?.kind).toBe(
      "not_found",
    );
  });

  it("is never wider for a named client or caller, whatever their sections say", async (t) => {
    const wide = {
      allow: ["write_file", "delete_file"],
      riskFloors: { write_file: "low" },
      channels: { elicitation: "all" },
    };
    const home = homeWithPolicy(t, {
      deny: ["delete_file"],
      riskFloors: { write_file: "high" },
      channels: { elicitation: "never" },
      clients: { "protocol-test": wide },
      principals: { local: wide },
    });
    const client = await connectHere(home, "v2 pinned", { elicitation: "approve" });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["write_file"]);
    expect((await client.call("delete_file", { key: "a" })).error?.kind).toBe("not_found");
    const { error } = await client.call("write_file", { key: "a", content: "b" });
    expect(error?.kind).toBe("approval_required");
    expect(client.dialogs).toEqual([]);
  });

  it("skips the dialog if elicitation never decides [policy.channels]", async (t) => {
    const home = homeWithPolicy(t, {
      channels: { elicitation: "never" },
      riskFloors: { write_file: "high" },
    });
    const client = await connectHere(home, "v2 legacy", { elicitation: "approve" });
    const { error } = await client.call("write_file", { key: "a", content: "b" });
    expect(error?.kind).toBe("approval_required");
    expect(client.dialogs).toEqual([]);
    await decideHere(home, "approve", await newestTicket(home));
    expect((await client.call("write_file", { key: "a", content: "b" })).isError).toBe(false);
  });

  it("skips the dialog for another client's request in a client that may not ask [policy.channels]", async (t) => {
    const home = homeWithPolicy(t, {
      clients: { "protocol-test": { channels: { elicitation: "never" } } },
    });
    const other = raw2026Here(home, { elicitation: false });
    await other.answer("write_file", { key: "a", content: "b" });
    expect((await other.answer("delete_file", { key: "a" })).error?.kind).toBe("approval_required");
    for (const kind of ["v2 pinned", "v2 legacy"] as const) {
      const client = await connectHere(home, kind, { elicitation: "approve" });
      expect((await client.call("delete_file", { key: "a" })).error?.kind).toBe(
        "approval_required",
      );
      expect(client.dialogs).toEqual([]);
    }
    const asking = raw2026Here(home, { elicitation: true });
    expect(questionOf(await asking.callTool("delete_file", { key: "a" })).message).toContain(
      "Delete",
    );
  });

  it("asks in the client for additions and not for changes, if elicitation is additive", async (t) => {
    const home = homeWithPolicy(t, {
      channels: { elicitation: "additive" },
      riskFloors: { write_file: "high" },
    });
    const client = await connectHere(home, "v2 pinned", { elicitation: "approve" });
    const { error } = await client.call("write_file", { key: "a", content: "b" });
    expect(error?.kind).toBe("approval_required");
    expect(client.dialogs).toEqual([]);
  });
});

describe("a rule of the file [rules.counted]", () => {
  it("allows calls in two servers together, up to its total", async (t) => {
    const home = homeWithPolicy(t, { rules: [policyRule({ uses: 3 })] });
    const clients = await Promise.all([connect(home, "v2 pinned"), connect(home, "v2 legacy")]);
    const keys = Array.from({ length: 5 }, (_, index) => `tmp/${index}.md`);
    for (const key of keys) await clients[0]?.call("write_file", { key, content: "x" });
    const answers = await Promise.all(
      keys.map((key, index) => clients[index % 2]!.call("delete_file", { key })),
    );
    const ran = answers.filter(({ isError }) => !isError);
    expect(ran).toHaveLength(3);
    expect(ran[0]?.report).toContain("deleted tmp/");
    expect(answers.filter(({ error }) => error?.kind === "approval_required")).toHaveLength(2);
    expect(await runsOf(home, "delete_file")).toBe(3);
    const listed = await runHere(home, ["policy", "list", "--json"]);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      id: "tidy",
      usesLeft: 0,
      ended: "it is used up",
    });
  });
});

describe("`countersign policy` [policy.command]", () => {
  it("reports that a person is asked after a rule's end", async (t) => {
    const over = policyRule({ expires: "2026-01-01T00:00:00Z" });
    const home = homeWithPolicy(t, { rules: [over] });
    const client = await connectHere(home, "v2 pinned");
    await client.call("write_file", { key: "tmp/a", content: "x" });
    const args = ["policy", "explain", "delete_file", '{"key":"tmp/a"}'];
    const { stdout } = await runHere(home, args);
    expect(stdout).toContain("ask: It needs your approval.");
    expect(stdout).toContain("- the rule tidy covers it, but it has expired");
    expect((await runHere(home, ["policy", "list"])).stdout).toContain(
      "tidy  (file)  it has expired\n",
    );
    expect((await client.call("delete_file", { key: "tmp/a" })).error?.kind).toBe(
      "approval_required",
    );
  });

  it("explains a call's decision, without an effect", async (t) => {
    const home = homeWithPolicy(t, {
      rules: [
        policyRule({
          tool: "write_file",
          when: {
            key: { in: "notes/" },
            content: "any",
            encoding: "any",
            mediaType: "any",
            ifMatch: "any",
            createOnly: "any",
          },
        }),
      ],
      riskFloors: { write_file: "high" },
      clients: { Wild: { deny: ["write_file"] } },
    });
    const explain = async (key: string, ...options: string[]) => {
      const args = ["policy", "explain", "write_file", JSON.stringify({ key, content: "x" })];
      return JSON.parse((await runHere(home, [...args, "--json", ...options])).stdout) as object;
    };
    expect(await explain("notes/a.md")).toMatchObject({
      verdict: "rule",
      risk: "high",
      reasons: [
        "write_file has risk medium",
        "the policy's floor is high",
        "the rule tidy covers it",
      ],
      rules: [{ ruleId: "tidy", uses: 3 }],
    });
    expect(await explain("notes-evil/a.md")).toMatchObject({ verdict: "ask" });
    expect(await explain("notes/a.md", "--principal", "alice")).toMatchObject({ verdict: "ask" });
    expect(await explain("notes/a.md", "--client", "Wild")).toMatchObject({ verdict: "forbid" });
    expect(await home.sql("SELECT ticket_id FROM tickets")).toEqual([]);
    const listed = JSON.parse((await runHere(home, ["policy", "list", "--json"])).stdout) as object;
    expect(listed).toMatchObject({ id: "tidy", source: "file", usesLeft: 3 });
  });

  it("checks a file, which may name the schema that the build wrote", async (t) => {
    const schema = new URL("../../bundle/policy.schema.json", import.meta.url);
    const home = homeWithPolicy(t, { $schema: schema.pathname, rules: [policyRule()] });
    const { code, stdout } = await runHere(home, ["policy", "check", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, rules: 1 }]);
    expect(JSON.parse(readFileSync(schema, "utf8"))).toMatchObject({ type: "object" });
    rewrite(home, "{}}");
    const bad = await runHere(home, ["policy", "check", join(home.dir, "policy.json")]);
    expect([bad.code, bad.stderr.trim().split("policy.json")[1]]).toEqual([
      1,
      ':1:3 (line 1, column 3): expected the end of the file here, found "}"',
    ]);
  });

  it("revokes a rule for an authorised person, and then the person is asked again", async (t) => {
    const home = homeWithPolicy(t, { rules: [policyRule()] });
    const client = await connectHere(home, "v2 pinned");
    const revoke = (input: string) =>
      runHere(home, ["policy", "revoke", "tidy", "--secret-stdin"], { input });
    expect((await runHere(home, ["policy", "revoke", "tidy"])).stderr).toContain(
      "needs a person at a terminal",
    );
    expect((await revoke("wrong secret\n")).stderr).toContain("This is not an approver's secret.");
    const deleted = async () => {
      await client.call("write_file", { key: "tmp/a", content: "x" });
      return (await client.call("delete_file", { key: "tmp/a" })).isError;
    };
    expect(await deleted()).toBe(false);
    expect((await revoke(`${operatorSecret}\n`)).stdout).toContain(
      "tidy no longer approves calls.",
    );
    expect((await revoke(`${operatorSecret}\n`)).stderr).toContain("was already revoked");
    expect(await deleted()).toBe(true);
    const [listed] = (await runHere(home, ["policy", "list"])).stdout.split("\n");
    expect(listed).toBe("tidy  (file)  it was revoked");
  });

  it("suggests the narrowest rule for three similar approvals [rules.suggest]", async (t) => {
    const home = newHome(t);
    const client = await connectHere(home, "v2 pinned");
    for (const key of ["tmp/1", "tmp/2", "tmp/3", "safe/1"]) {
      await client.call("write_file", { key, content: "x" });
      await client.call("delete_file", { key });
      await decideHere(home, key === "safe/1" ? "deny" : "approve", await newestTicket(home));
    }
    const { stdout } = await runHere(home, ["policy", "suggest", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      rule: { tool: "delete_file", principals: ["local"], when: { key: { in: "tmp/" } }, uses: 3 },
      wouldHaveApproved: 3,
    });
    expect((await runHere(home, ["policy", "suggest"])).stdout).toMatch(
      /^Would have approved 3 calls, none of which you denied:\n\{\n {2}"id": "delete-file-1"/,
    );
  });
});
