import { type TestContext, describe, expect, it } from "vitest";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { newHome, operatorSecret, storedStatus } from "./home.ts";
import { runHere, runProgram } from "./program.ts";

const key = "plan.md";
const nothingWaits = { code: 0, stdout: "No requests are waiting.\n", stderr: "" };

/** Opens a request that waits, for the command without a terminal. */
async function setUp(t: TestContext) {
  const home = newHome(t);
  const approvals = (
    args: string[],
    options: { input?: string; env?: Record<string, string> } = {},
  ) => runHere(home, ["approvals", ...args], options);
  expect(await approvals(["list"])).toEqual(nothingWaits);
  const client = await connect(home, "v2 legacy");
  await client.call("write_file", { key, content: "a plan" });
  const { id, fingerprint } = approvalOf(await client.call("delete_file", { key }));
  return { home, approvals, id, fingerprint };
}

describe.concurrent("countersign approvals", () => {
  it("lists waiting requests in one line each, for people and as data, and ended ones on demand", async (t) => {
    const { home, approvals, id, fingerprint } = await setUp(t);
    const { code, stdout } = await approvals(["list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Delete the file "plan\.md", 6 bytes, changed just now {2}\S+ {2}ap_\S+ {2}waits, [^\n]+ left {2}by local, with "protocol-test"\n$/,
    );
    expect(stdout).toContain(`  ${fingerprint}  ${id}  `);
    const data: unknown = JSON.parse((await approvals(["list", "--json"])).stdout);
    const facts = { id, fingerprint, status: "pending", tool: "delete_file" };
    expect(data).toMatchObject({ ...facts, principal: "local", client: "protocol-test" });

    const deny = ["approvals", "deny", id, "--secret-stdin"];
    const denied = await runProgram(home, deny, { input: `${operatorSecret}\n` });
    expect(denied).toEqual({ code: 0, stdout: "Denied. Nothing was done.\n", stderr: "" });
    for (const run of [runHere, runProgram])
      expect(await run(home, ["approvals", "list"])).toEqual(nothingWaits);
    // The answer named the state twice: "has ended (denied). Nothing was changed. Denied. Nothing was done."
    expect(await runProgram(home, deny, { input: `${operatorSecret}\n` })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "Your decision did not count, because the request was already decided. Denied. Nothing was done.\n",
    });
    const all = await approvals(["list", "--all"]);
    expect(all.stdout).toContain(`${fingerprint}  ${id}  denied by operator at the terminal`);
  });

  it("shows one in full, and reports an absent one", async (t) => {
    const { approvals, id, fingerprint } = await setUp(t);
    const { stdout } = await approvals(["show", id]);
    for (const shown of [
      'Delete the file "plan.md", 6 bytes, changed',
      'local, with "protocol-test"',
    ])
      expect(stdout).toContain(shown);
    expect(stdout).toMatch(new RegExp(`fingerprint +${fingerprint}\n`));
    expect(stdout).toMatch(new RegExp(`request +${id}\n`));
    const absent =
      "There is no request ap_none. Nothing was decided. `approvals list --all` shows the ids.\n";
    for (const action of ["show", "approve", "deny"])
      expect(await approvals([action, "ap_none"])).toEqual({ code: 1, stdout: "", stderr: absent });
  });

  it("accepts a note for the assistant only with a denial [denial.note] [denial.may-ask-again]", async (t) => {
    const { home, approvals, id } = await setUp(t);
    const proof = { input: `${operatorSecret}\n` };
    for (const extra of [["--note", "x"], ["--may-ask-again"]])
      expect((await approvals(["approve", id, ...extra, "--secret-stdin"], proof)).code).toBe(2);
    expect(await storedStatus(home, id)).toBe("pending");
    const said = ["--note", "move it to old/ instead", "--may-ask-again"];
    expect((await approvals(["deny", id, ...said, "--secret-stdin"], proof)).code).toBe(0);
    const shown = await approvals(["show", id, "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      status: "denied",
      headline: expect.stringMatching(/^Delete the file "plan\.md"/) as string,
      decision: { note: "move it to old/ instead", mayAskAgain: true },
    });
    const client = await connect(home, "v2 legacy");
    const check = await client.call("check_approval", { approvalId: id });
    expect(check.output?.["guidance"]).toMatch(
      /The user says: \[user (\w+)\] move it to old\/ instead \[end of user \1\]/,
    );
    const { stdout } = await runHere(home, ["activity"]);
    expect(stdout).toContain(
      'denied at the terminal: delete plan.md, and lets the assistant ask again with changes, and said to the assistant: "move it to old/ instead"',
    );
  });

  // Each command dropped what to do next.
  it("says what to do when a decision is refused [directions.true]", async (t) => {
    const { approvals, id } = await setUp(t);
    const proof = { input: `${operatorSecret}\n` };
    await approvals(["pause", "--secret-stdin"], proof);
    expect(await approvals(["approve", id, "--secret-stdin"], proof)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "Everything that needs approval is paused. Nothing was decided. Resume first; the request stays open.\n",
    });
  });

  it("requires a person at a terminal or an approver's secret for a decision", async (t) => {
    const { home, approvals, id } = await setUp(t);
    for (const action of ["approve", "deny"]) {
      const { code, stderr } = await approvals([action, id], { input: "yes\n" });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr:
          "This needs a person at a terminal, or an approver's secret with --secret-stdin. Nothing was decided.\n",
      });
      const nobody = await approvals([action, id, "--secret-stdin"], {
        input: "\n",
        env: { APPROVERS: "" },
      });
      expect(nobody.code).toBe(1);
      expect(nobody.stderr).toBe("--secret-stdin needs APPROVERS. Nothing was decided.\n");
    }
    expect(await storedStatus(home, id)).toBe("pending");
  });
});
