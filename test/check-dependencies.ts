import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { z } from "zod";

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));

const lock = z
  .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
  .parse(read("package-lock.json"));
const installed = Object.entries(lock.packages).flatMap(([folder, { dev }]) =>
  folder === "" || dev === true ? [] : [folder],
);
/** Folders of the packages that reach a user: installed beside the program, or bundled into it. */
const shipped = new Set([
  ...installed,
  ...z.array(z.string()).parse(read("dist/bundled-packages.json")),
]);

const behind = z.record(z.string(), z.object({ current: z.string(), latest: z.string() }));
const advisories = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), nodes: z.array(z.string()) }),
  ),
});

/** Returns npm's answer as JSON. Undefined if the registry does not answer within a minute. */
function npm(command: string): unknown {
  const run = spawnSync("npm", [command, "--json"], {
    encoding: "utf8",
    maxBuffer: 64 << 20,
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
const found = Object.entries(outdated.data ?? {}).filter(([name]) =>
  shipped.has(`node_modules/${name}`),
);
for (const [name, { current, latest }] of found)
  console.log(`${name} is behind: ${current} is installed, ${latest} is the latest.`);
if (!outdated.success) console.log("The registry did not say which dependencies are behind.");

const audit = advisories.safeParse(npm("audit"));
if (!audit.success) console.log("The registry did not answer about advisories: none were checked.");
const known = Object.entries(audit.data?.vulnerabilities ?? {}).filter(([, { nodes }]) =>
  nodes.some((folder) => shipped.has(folder)),
);
for (const [name, { severity, nodes }] of known)
  console.error(`${name} (${nodes.join(", ")}) has a known advisory (${severity}). Run: npm audit`);
process.exitCode = known.length > 0 ? 1 : 0;
