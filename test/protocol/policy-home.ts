import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Home, newHome } from "./home.ts";

const soon = new Date(Date.now() + 86_400_000).toISOString();

/** Makes a rule that deletes files in tmp/, with the changes that the test names. */
export function policyRule(fields: object = {}) {
  return {
    id: "tidy",
    tool: "delete_file",
    principals: ["local"],
    when: { key: { in: "tmp/" } },
    expires: soon,
    uses: 3,
    ...fields,
  };
}

/** Creates a home whose servers have this policy. */
export function homeWithPolicy(
  t: Parameters<typeof newHome>[0],
  policy: object | string,
  env = {},
): Home {
  const home = newHome(t, { POLICY_FILE: "policy.json", ...env });
  rewrite(home, policy);
  return home;
}

/** Writes rules of which only `drafts` applies to the upstream server `notes`, as if an earlier server had left them. */
export function leaveRules(home: Home): void {
  const tool = "notes__delete_note";
  const when = { title: { in: "drafts/" } };
  const rules = [
    policyRule({ id: "drafts", tool, when }),
    policyRule({ id: "other" }),
    policyRule({ id: "foreign", tool: "notes-2__delete_note", when }),
    policyRule({ id: "unfit", tool, when: { name: "any" } }),
    policyRule({ id: "past", tool, when, expires: "2026-01-01T00:00:00Z" }),
  ];
  rewrite(home, { rules });
}

export function rewrite(home: Home, policy: object | string): void {
  const text = typeof policy === "string" ? policy : JSON.stringify(policy, undefined, 2);
  // Editors replace the file in this way.
  const fresh = join(home.dir, "policy.json.new");
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, join(home.dir, "policy.json"));
}
