import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { programRoot } from "../../core/shared/program-root.ts";
import { registryProblems } from "../../export/check-registry.ts";
import { type Registry, buildRegistry } from "../../export/registry.ts";
import { contracts } from "../../tools/catalog.ts";
import { documentation } from "../../tools/documentation.ts";
import { policyJsonSchema } from "../../core/policy/file/policy-schema.ts";
import { policySchemaPath, registryPath } from "../compose/read-registry.ts";

/** Writes the catalog as one data file, and the JSON Schema of policy files. A step of `npm run build`. */
function run(): number {
  const registry = buildRegistry(contracts, documentation, builtFrom());
  const problems = registryProblems(registry);
  if (problems.length > 0) {
    console.error(`bundle/tool-registry.json was not written:\n  ${problems.join("\n  ")}`);
    return 1;
  }
  writeFileSync(registryPath, `${JSON.stringify(registry)}\n`);
  const tools = registry.tools.map(({ name, input }) => ({
    name,
    argumentNames: Object.keys(input.properties),
  }));
  writeFileSync(policySchemaPath, `${JSON.stringify(policyJsonSchema(tools))}\n`);
  return 0;
}

function builtFrom(): Registry["builtFrom"] {
  const at = new Date().toISOString();
  try {
    const cwd = fileURLToPath(programRoot);
    const commit = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return { commit, at };
  } catch {
    // A source archive without git history can be built too.
    return { at };
  }
}

// Runs only as a program, not when it is imported.
if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = run();
