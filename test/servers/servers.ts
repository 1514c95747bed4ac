import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface RealServer {
  name: string;
  /** The program whose presence shows that the server is installed. A full path if it is not on PATH. */
  program: string;
  /** Debian packages that bring it. */
  packages: string[];
  /** Packages that are only unpacked, since they exclude another server's. */
  unpack?: string[];
  /** True if only root can start it. */
  needsRoot?: boolean;
  /** The variable that names another server of the same kind, which then is used. */
  instead?: string;
}

/** The place where packages are unpacked, and a path in it. */
const unpackedIn = "node_modules/.servers";
export const unpacked = (path: string): string =>
  fileURLToPath(new URL(`../../${unpackedIn}/${path}`, import.meta.url));

/**
 * The servers that tests use and npm does not install. A new one is one line here. A test that needs it says
 * `describe.skipIf(inject("missingServers").includes("radicale"))`.
 */
const servers: RealServer[] = [
  { name: "radicale", program: "radicale", packages: ["radicale", "python3-passlib"] },
  {
    name: "cyrus",
    program: "/usr/lib/cyrus/bin/httpd",
    packages: ["cyrus-caldav", "cyrus-imapd", "sasl2-bin"],
    needsRoot: true,
  },
  {
    // The independent expander: dateutil's rules with another project's interpretation of RFC 5545.
    name: "recurring-ical-events",
    program: "/usr/lib/python3/dist-packages/recurring_ical_events.py",
    packages: ["python3-recurring-ical-events"],
  },
  {
    name: "Ceph RGW",
    program: "radosgw",
    packages: ["radosgw", "ceph-mon", "ceph-osd"],
    instead: "S3_TEST_ENDPOINT",
  },
  {
    // Debian allows only one of this package and Cyrus.
    name: "dovecot",
    program: unpacked("usr/lib/dovecot/imap"),
    packages: ["dovecot-core"],
    unpack: ["dovecot-imapd"],
    needsRoot: true,
  },
  { name: "postfix", program: "postfix", packages: ["postfix"], needsRoot: true },
  { name: "chromium", program: "chromium", packages: ["chromium"] },
  { name: "systemd", program: "/lib/systemd/systemd", packages: ["systemd"] },
  // A pseudo-terminal for a program that asks whether a person is there.
  { name: "script", program: "script", packages: ["bsdutils"] },
];

/** Returns the path of a program. Undefined if it is not installed. */
export function pathOf(program: string): string | undefined {
  // Debian keeps daemons in /usr/sbin, which is not on everybody's PATH.
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  const places = isAbsolute(program) ? [program] : directories.map((one) => join(one, program));
  return places.find((place) => {
    try {
      accessSync(place, place.endsWith(".py") ? constants.R_OK : constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function missingServers(): RealServer[] {
  const isRoot = process.getuid?.() === 0;
  return servers.filter(({ program, instead, needsRoot = false }) => {
    if (instead !== undefined && process.env[instead] !== undefined) return false;
    return pathOf(program) === undefined || (needsRoot && !isRoot);
  });
}

export function isMissing(name: string): boolean {
  return missingServers().some((server) => server.name === name);
}

export function installCommand(missing: RealServer[]): string {
  const packages = new Set(missing.flatMap((server) => server.packages));
  const unpack = missing.flatMap((server) => server.unpack ?? []);
  const install = `apt-get install -y --no-install-recommends ${[...packages].join(" ")}`;
  if (unpack.length === 0) return install;
  const fetched = `apt-get download ${unpack.join(" ")} && for p in *.deb; do dpkg -x "$p" .; done`;
  return `${install} && mkdir -p ${unpackedIn} && cd ${unpackedIn} && ${fetched}`;
}

/**
 * Returns the notice about tests that cannot run. Undefined if all can.
 * @throws if no server may be missing, as in CI
 */
export function noticeOf(
  project: string,
  missing: RealServer[],
  isRequired: boolean,
): string | undefined {
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(", ");
  const notice = `NOT RUN (${project}): tests that need ${names}. Install with:\n  ${installCommand(missing)}`;
  if (isRequired) throw new Error(notice);
  return notice;
}
