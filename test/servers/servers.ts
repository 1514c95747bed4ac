import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export interface RealServer {
  name: string;
  /** The program whose presence tells that the server is installed. */
  program: string;
  /** Debian packages that bring it. */
  packages: string[];
  /** The variable that names another server of the same kind, which then is used. */
  instead?: string;
}

/**
 * The real servers that tests run against and npm does not bring: SMTP, libSQL and the embedded store run inside the
 * tests. A new one is one line here, for example `{ name: "radicale", program: "radicale", packages: ["radicale"] }`; a
 * test that needs it says `describe.skipIf(inject("missingServers").includes("radicale"))`.
 */
const servers: RealServer[] = [
  {
    name: "Ceph RGW",
    program: "radosgw",
    packages: ["radosgw", "ceph-mon", "ceph-osd", "ceph-mgr"],
    instead: "S3_TEST_ENDPOINT",
  },
];

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
  return servers.filter(
    ({ program, instead }) =>
      !isInstalled(program) && (instead === undefined || process.env[instead] === undefined),
  );
}

export function isMissing(name: string): boolean {
  return missingServers().some((server) => server.name === name);
}

export function installCommand(missing: RealServer[]): string {
  const packages = new Set(missing.flatMap((server) => server.packages));
  return `apt-get install -y --no-install-recommends ${[...packages].join(" ")}`;
}
