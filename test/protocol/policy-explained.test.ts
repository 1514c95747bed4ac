import { describe, expect, it } from "vitest";
import { connectHere } from "./clients.ts";
import { newHome } from "./home.ts";
import { homeWithPolicy, policyRule } from "./policy-home.ts";
import { runHere } from "./program.ts";

describe("countersign policy", () => {
  it("explains a call on an absent target, and that it would fail [policy.explain-absent]", async (t) => {
    const home = homeWithPolicy(t, {
      rules: [policyRule({ tool: "delete_file", when: { key: { in: "tmp/" } } })],
    });
    const explain = async (key: string) => {
      const args = ["policy", "explain", "delete_file", JSON.stringify({ key }), "--json"];
      const { code, stdout } = await runHere(home, args);
      expect(code).toBe(0);
      return JSON.parse(stdout) as { verdict: string; reasons: string[] };
    };
    const asked = await explain("absent.md");
    expect(asked).toMatchObject({ verdict: "ask", risk: "high" });
    expect(asked.reasons.join()).toMatch(
      /would fail now, before an approval request: .*absent\.md/,
    );
    expect(await explain("tmp/absent.md")).toMatchObject({ verdict: "rule" });
  });

  it("says that approvals in a client's dialog are not used for a suggestion [rules.suggest-dialog]", async (t) => {
    const home = newHome(t);
    const client = await connectHere(home, "v2 legacy", { elicitation: "approve" });
    for (const key of ["tmp/1", "tmp/2", "tmp/3"]) {
      await client.call("write_file", { key, content: "x" });
      await client.call("delete_file", { key });
    }
    const { stdout, stderr } = await runHere(home, ["policy", "suggest"]);
    expect(stdout).toContain("There is no suggestion.");
    expect(stderr).toContain("Not counted: 3 approvals in a client's own dialog");
  });
});
