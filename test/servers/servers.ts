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
 * The real servers that tests run against and npm does not bring. None yet: SMTP, libSQL and the embedded store
 * all run inside the tests. A new one is one line here, for example
 * `{ name: "radicale", program: "radicale", packages: ["radicale"] }`; a test that needs it says
 * `describe.skipIf(inject("missingServers").includes("radicale"))`.
 */
const servers: RealServer[] = [];

function isInstalled(program: string): boolean {
  // Debian keeps daemons in /usr/sbin, which is not on everybody's PATH.
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return directories.some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function missingServers(): RealServer[] {
  return servers.filter(({ program }) => !isInstalled(program));
}

export function installCommand(missing: RealServer[]): string {
  const packages = new Set(missing.flatMap((server) => server.packages));
  return `apt-get install -y --no-install-recommends ${[...packages].join(" ")}`;
}
