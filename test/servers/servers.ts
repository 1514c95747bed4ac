import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export interface RealServer {
  name: string;
  /** The program whose presence tells that the server is installed. */
  program: string;
  /** Debian packages that bring it. */
  packages: string[];
}

/**
 * The real programs that tests run against and npm does not bring; SMTP, libSQL and the embedded store all run inside the
 * tests. A new one is one line here, and a test that needs it says
 * `describe.skipIf(inject("missingServers").includes("chromium"))`.
 */
const servers: RealServer[] = [{ name: "chromium", program: "chromium", packages: ["chromium"] }];

/** Where a program lies; its bare name where it is nowhere. */
export function pathOf(program: string): string {
  // Debian keeps daemons in /usr/sbin, which is not on everybody's PATH.
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  const path = directories.map((directory) => join(directory, program)).find(isProgram);
  return path ?? program;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function missingServers(): RealServer[] {
  return servers.filter(({ program }) => pathOf(program) === program);
}

export function installCommand(missing: RealServer[]): string {
  const packages = new Set(missing.flatMap((server) => server.packages));
  return `apt-get install -y --no-install-recommends ${[...packages].join(" ")}`;
}
