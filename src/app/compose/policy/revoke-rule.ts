import { recordBestEffort } from "../../../core/audit/audit.ts";
import { fingerprintOf } from "../../../core/shared/digest.ts";
import { type CompiledRule, formatRule } from "../../../core/policy/rules/rule.ts";
import { everybody } from "../../../core/approvals/ticket.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type { Approvers } from "../../../channels/terminal.ts";
import type { Stores } from "../open/open-stores.ts";
import { provenPerson } from "../../approvals/proven-person.ts";

const nothing = "Nothing was revoked.";

/**
 * Revokes a rule, with the same proof as an approval.
 * @throws ToolError `not_found`, `conflict`, `auth` or `forbidden`
 */
export async function revoke(
  { rules, audit }: Stores,
  all: readonly CompiledRule[],
  ruleId: string,
  proof: { approvers: Approvers; secretStdin: boolean },
): Promise<{ id: string; revoked: true; by: string }> {
  const rule = all.find((each) => each.ruleId === ruleId);
  if (rule === undefined) {
    throw new ToolError("not_found", `There is no rule ${ruleId}. ${nothing}`, {
      hint: "`policy list` shows the ids.",
    });
  }
  const { principals, key, tool } = rule;
  // A rule for one caller may be revoked by that caller's approver. Other rules need an approver of all callers.
  const [only] = principals;
  const principal = principals !== "any" && principals.length === 1 && only ? only : everybody;
  const fingerprint = fingerprintOf(ruleId, key);
  const inFull = `${formatRule(rule)}\n  fingerprint  ${fingerprint}`;
  const question = "Type the fingerprint to revoke this rule";
  const by = await provenPerson({ principal, fingerprint, inFull, question, nothing }, proof);
  if (!(await rules.revoke(rule, by))) {
    throw new ToolError("conflict", `${ruleId} was already revoked. Nothing was changed.`);
  }
  await recordBestEffort(audit, {
    type: "decided",
    at: new Date(),
    callId: ruleId,
    principal,
    client: "terminal",
    tool,
    sentence: `revoked the rule ${ruleId}`,
    outcome: `revoke (terminal, ${by})`,
  });
  return { id: ruleId, revoked: true, by };
}
