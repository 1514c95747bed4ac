import { describe, expect, it } from "vitest";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { newHome, operatorSecret, runsOf } from "./home.ts";
import { homeWithPolicy, policyRule } from "./policy-home.ts";
import { decideHere, runHere, runProgram } from "./program.ts";

const usual = {
  TOOL_CALLS_PER_MINUTE: "60",
  TOOL_CALLS_PER_TURN: "40",
  HIGH_RISK_CALLS_PER_TURN: "5",
};

describe.concurrent("a server with its usual budgets", () => {
  it("allows 40 calls in a turn, and further approval checks [budget.turn]", async (t) => {
    const client = await connectHere(newHome(t, usual), "v2 legacy");
    for (let call = 0; call < 40; call += 1) {
      expect((await client.call("list_files")).isError).toBe(false);
    }
    const { error } = await client.call("list_files");
    expect(error).toMatchObject({ kind: "budget_exceeded", retryable: true, sideEffects: "none" });
    expect(error?.retryAfterSeconds).toBeGreaterThan(0);
    const check = await client.call("check_approval", { approvalId: "ap_none" });
    expect(check.error?.kind).toBe("not_found");
  });

  it("asks for 5 in a turn across two processes, and joins are free [budget.high]", async (t) => {
    const home = newHome(t, usual);
    const clients = [await connectHere(home, "v2 legacy"), await connectHere(home, "v1")];
    for (let file = 0; file < 10; file += 1) {
      await clients[file % 2]!.call("write_file", { key: `${file}.md`, content: "x" });
    }
    const remove = (file: number) =>
      clients[file % 2]!.call("delete_file", { key: `${file % 10}.md` });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, file) => remove(file)));
    const kinds = answers.map(({ error }) => error?.kind);
    expect(kinds.filter((kind) => kind === "approval_required")).toHaveLength(5);
    expect(kinds.filter((kind) => kind === "budget_exceeded")).toHaveLength(5);
    const asked = kinds.indexOf("approval_required");
    expect(approvalOf(await remove(asked)).id).toBe(approvalOf(answers[asked]!).id);
  });

  // The error named the approval page and Telegram on a machine that has neither, and a command that is not on PATH.
  it("names only approval channels that exist if a limit is used up [directions.true]", async (t) => {
    const home = newHome(t, { ...usual, HIGH_RISK_CALLS_PER_TURN: "1", APPROVAL_OPEN: "never" });
    const client = await connectHere(home, "v2 legacy");
    for (const key of ["a.md", "b.md"]) await client.call("write_file", { key, content: "x" });
    await client.call("delete_file", { key: "a.md" });
    const { text, error } = await client.call("delete_file", { key: "b.md" });
    expect(error?.kind).toBe("budget_exceeded");
    expect(text).not.toMatch(/page|Telegram|"countersign/);
    expect(text).toContain(`main.js approvals resume\``);
  });

  it("counts every run of one call that a rule allows [budget.high]", async (t) => {
    const home = homeWithPolicy(
      t,
      {
        riskFloors: { write_file: "high" },
        rules: [
          policyRule({
            tool: "write_file",
            when: {
              key: { is: "a.md" },
              content: "any",
              encoding: "any",
              mediaType: "any",
              ifMatch: "any",
              createOnly: "any",
            },
            uses: 100,
          }),
        ],
      },
      usual,
    );
    const client = await connectHere(home, "v2 legacy");
    const kinds: unknown[] = [];
    for (let time = 0; time < 8; time += 1) {
      kinds.push((await client.call("write_file", { key: "a.md", content: "x" })).error?.kind);
    }
    const tooMany = Array<string>(3).fill("budget_exceeded");
    t.expect(kinds).toEqual([...Array<undefined>(5).fill(undefined), ...tooMany]);
    t.expect(await runsOf(home, "write_file")).toBe(5);
  });

  it("pauses after three denials until a person resumes at the terminal [fatigue.pause]", async (t) => {
    const home = newHome(t);
    const client = await connectHere(home, "v2 legacy");
    for (const key of ["a.md", "b.md", "c.md", "d.md"]) {
      await client.call("write_file", { key, content: "x" });
    }
    for (const key of ["a.md", "b.md", "c.md"]) {
      const { id } = approvalOf(await client.call("delete_file", { key }));
      await decideHere(home, "deny", id);
    }
    const paused = await client.call("delete_file", { key: "d.md" });
    expect(paused.error).toMatchObject({ kind: "forbidden" });
    expect(paused.text).toContain("3 requests were denied within 10 minutes");

    expect((await runHere(home, ["approvals", "resume"])).code).not.toBe(0);
    const list = await runProgram(home, ["approvals", "list"]);
    expect(list.stdout).toContain("Paused: everything of local");
    const input = `${operatorSecret}\n`;
    // The command printed "Nothing is paused." instead of what it had done.
    const args = ["approvals", "resume", "--secret-stdin"];
    const resumed = await runProgram(home, args, { input });
    expect(resumed.stdout).toBe(
      "Resumed everything of local. Reset the call limits of local.\nNothing is paused.\n",
    );
    const again = await runHere(home, ["approvals", "resume", "local", "--secret-stdin"], {
      input,
    });
    expect(again.stdout).toBe("Reset the call limits of local.\nNothing is paused.\n");
    const asked = await client.call("delete_file", { key: "d.md" });
    expect(asked.error?.kind).toBe("approval_required");
  });
});
