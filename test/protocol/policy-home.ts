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

export function rewrite(home: Home, policy: object | string): void {
  const text = typeof policy === "string" ? policy : JSON.stringify(policy, undefined, 2);
  // Editors replace the file in this way.
  const fresh = join(home.dir, "policy.json.new");
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, join(home.dir, "policy.json"));
}
