import { execSync } from "node:child_process";
import { installSuite } from "./conformance.ts";
import { installCommand, missingServers } from "./servers.ts";

/** `npm run test:servers`: installs what the tests can use and this machine lacks. */
const missing = missingServers();
const command = installCommand(missing);
if (missing.length === 0) {
  console.log("Every server that the tests use is here.");
} else if (process.getuid?.() === 0) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execSync(`apt-get update && ${command}`, { stdio: "inherit", env });
} else {
  console.error(
    `Only root can install: ${missing.map(({ name }) => name).join(", ")}. Run:\n  sudo ${command}`,
  );
  process.exitCode = 1;
}

installSuite();
