import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { refuseUnfinished } from "./unfinished.ts";
import { writeOnce } from "./write-file.ts";
import { readIfPresent } from "./safe-file.ts";

const secretBytes = 32;

/** The keys of this installation, all derived from one secret outside of the databases. */
export interface InstallKeys {
  /** For the chain of the audit record. */
  audit: Uint8Array;
  /** For sessions and forms of the approval page over HTTP. Replicas with the same secret accept each other's. */
  page: Uint8Array;
  /** Signs the tokens of the authorization server. The same for every replica. */
  oauth: Uint8Array;
  /** For the UIDs of events that the assistant creates. */
  events: Uint8Array;
  /** For the fingerprints of private content. */
  flow: Uint8Array;
  /** Encrypts the sign-ins at upstream servers. */
  signIns: Uint8Array;
  /** Identifies the secret without revealing it. */
  keyId: string;
}

/**
 * Reads `install.key` in the data directory, or creates it with mode 600. If several processes start together, the
 * first one's file is used, and it is never visible half-written.
 * @throws ConfigError
 * @throws ToolError if the data directory is half restored or half removed
 */
export function installKeys(dataDir: string): InstallKeys {
  refuseUnfinished(dataDir);
  const path = join(dataDir, "install.key");
  const secret = read(path) ?? make(path);
  // A restore that has just begun sees the key, or its record is seen here.
  refuseUnfinished(dataDir);
  return keysFrom(secret);
}

/**
 * Reads the keys of another installation from its `install.key`.
 * @throws ConfigError
 */
export function keysOfFile(path: string): InstallKeys {
  const secret = read(path);
  if (secret === undefined) throw problem(path, "does not exist");
  return keysFrom(secret);
}

function keysFrom(secret: Buffer): InstallKeys {
  const derive = (purpose: string, length: number): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", secret, "", `countersign ${purpose}`, length));
  return {
    audit: derive("audit", secretBytes),
    page: derive("approval page", secretBytes),
    oauth: derive("oauth", secretBytes),
    events: derive("events", secretBytes),
    flow: derive("information flow", secretBytes),
    signIns: derive("upstream sign-ins", secretBytes),
    keyId: Buffer.from(derive("key id", 6)).toString("hex"),
  };
}

function read(path: string): Buffer | undefined {
  const text = readIfPresent(path)?.toString();
  if (text === undefined) return undefined;
  const secret = Buffer.from(text.trim(), "hex");
  if (secret.length === secretBytes) return secret;
  throw problem(
    path,
    "is damaged. Restore it from a backup. If you remove it instead, a new chain of the audit record starts",
  );
}

function make(path: string): Buffer {
  writeOnce(path, `${randomBytes(secretBytes).toString("hex")}\n`);
  const secret = read(path);
  if (secret === undefined) throw problem(path, "could not be written");
  return secret;
}

function problem(path: string, text: string): ConfigError {
  return new ConfigError([{ setting: path, problem: text }]);
}
