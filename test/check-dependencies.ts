import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";

const { dependencies } = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")));
const behind = z.record(z.string(), z.object({ current: z.string(), latest: z.string() }));
const advisories = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});

/** What npm says, as JSON; undefined where the registry does not answer within a minute. */
function npm(command: string): unknown {
  const run = spawnSync("npm", [command, "--omit=dev", "--json"], {
    encoding: "utf8",
    timeout: 60_000,
    shell: process.platform === "win32",
  });
  try {
    return JSON.parse(run.stdout);
  } catch {
    // Cut off, or in npm's own words.
    return undefined;
  }
}

const outdated = behind.safeParse(npm("outdated"));
const found = Object.entries(outdated.data ?? {}).filter(([name]) => name in dependencies);
for (const [name, { current, latest }] of found)
  console.log(`${name} is behind: ${current} is installed, ${latest} is the latest.`);
if (!outdated.success) console.log("The registry did not say which dependencies are behind.");

const audit = advisories.safeParse(npm("audit"));
if (!audit.success) console.log("The registry did not answer about advisories: none were checked.");
const known = Object.entries(audit.data?.vulnerabilities ?? {});
for (const [name, { severity }] of known)
  console.error(`${name} has a known advisory (${severity}). Run: npm audit --omit=dev`);
process.exitCode = known.length > 0 ? 1 : 0;
