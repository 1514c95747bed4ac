import { sha256Hex } from "../../core/shared/digest.ts";

/** The parts of the service's command line. Secrets stay in the file of settings. */
export interface IngestService {
  node: string;
  program: string;
  envFile: string;
  dataDir: string;
  /** The directory of the database. Undefined if it is the data directory, or the database is on a server. */
  databaseDir?: string | undefined;
}

/** The name of the systemd unit without its suffix, and the label of the launchd agent. */
export const serviceName = "countersign-ingest";

const restartAfterSeconds = 10;

/** Returns a path that a file of a service cannot contain. A line break would begin another option of a unit. */
export function unwritablePath(service: IngestService): string | undefined {
  const { node, program, envFile, dataDir, databaseDir = "" } = service;
  return [node, program, dataDir, envFile, databaseDir].find((path) => /\p{Cc}/u.test(path));
}

/**
 * Returns a systemd user unit. Without `isSandboxed` it omits options that need a mount namespace, which containers
 * often forbid. See systemd.exec(5), "Sandboxing".
 */
export function systemdUnit(
  { node, program, envFile, dataDir, databaseDir }: IngestService,
  isSandboxed: boolean,
): string {
  // systemd expands variables in the arguments alone.
  const words = [program, "ingest", "--env-file", envFile].map(inCommand);
  const command = [inUnit(node), ...words].join(" ");
  const written = [dataDir, ...(databaseDir === undefined ? [] : [databaseDir])];
  const paths = written.map(inUnit).join(" ");
  const sandbox = ["PrivateTmp=yes", "ProtectSystem=strict", `ReadWritePaths=${paths}`];
  return signed(
    [
      "[Unit]",
      "Description=Countersign receives mail",
      "",
      "[Service]",
      // Only this type reports a failed start to the caller. See systemd.service(5), "Type=".
      "Type=exec",
      `ExecStart=${command}`,
      `Environment=${inUnit(`COUNTERSIGN_DATA_DIR=${dataDir}`)}`,
      "Restart=on-failure",
      `RestartSec=${restartAfterSeconds}`,
      "UMask=0077",
      "NoNewPrivileges=yes",
      "LockPersonality=yes",
      "RestrictRealtime=yes",
      "RestrictSUIDSGID=yes",
      ...(isSandboxed ? sandbox : []),
      "",
      "[Install]",
      "WantedBy=default.target",
      "",
    ].join("\n"),
    (line) => `# ${line}`,
  );
}

/** Quotes a word for a unit file, with C escapes and without specifiers. See systemd.syntax(7). */
function inUnit(word: string): string {
  return `"${word.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** Quotes an argument of a command line, which also expands variables. See systemd.service(5), "Command lines". */
function inCommand(word: string): string {
  return inUnit(word).replaceAll("$", "$$$$");
}

/** Returns a launchd agent (launchd.plist(5)). */
export function launchAgent({ node, program, envFile, dataDir }: IngestService): string {
  const words = [node, program, "ingest", "--env-file", envFile];
  return signed(
    `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${serviceName}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${inXml(word)}</string>`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>COUNTERSIGN_DATA_DIR</key>
    <string>${inXml(dataDir)}</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${restartAfterSeconds}</integer>
  <key>Umask</key>
  <integer>${0o077}</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>StandardErrorPath</key>
  <string>${inXml(`${dataDir}/ingest.log`)}</string>
</dict>
</plist>
`,
    (line) => `<!-- ${line} -->`,
  );
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const signature = /(?:# |<!-- )Written by "countersign service install"\. sha256 ([0-9a-f]{64})/;

/** Adds a last line by which our own unchanged files are recognised. */
function signed(text: string, asComment: (line: string) => string): string {
  const line = `Written by "countersign service install". sha256 ${sha256Hex(text)}`;
  return `${text}${asComment(line)}\n`;
}

/** Returns whether this program wrote the file and it was not changed since. */
export function isOurs(text: string): boolean {
  const found = signature.exec(text);
  return found?.[1] !== undefined && found[1] === sha256Hex(text.slice(0, found.index));
}
