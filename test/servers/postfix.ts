import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { freePort } from "./child.ts";

export interface Postfix {
  /** The port at which Postfix accepts all mail, which it delivers to one place. */
  port: number;
  log(): string;
  stop(): void;
}

/** Services of master.cf: name, type, private, process limit, program. */
const services = [
  ["pickup", "unix", "n", "1", "pickup"],
  ["cleanup", "unix", "n", "0", "cleanup"],
  ["qmgr", "unix", "n", "1", "qmgr"],
  ["tlsmgr", "unix", "-", "1", "tlsmgr"],
  ["rewrite", "unix", "-", "-", "trivial-rewrite"],
  ["bounce", "unix", "-", "0", "bounce"],
  ["defer", "unix", "-", "0", "bounce"],
  ["trace", "unix", "-", "0", "bounce"],
  ["flush", "unix", "n", "0", "flush"],
  ["proxymap", "unix", "-", "-", "proxymap"],
  ["smtp", "unix", "-", "-", "smtp"],
  ["lmtp", "unix", "-", "-", "lmtp"],
  ["error", "unix", "-", "-", "error"],
  ["retry", "unix", "-", "-", "error"],
  ["discard", "unix", "-", "-", "discard"],
  ["anvil", "unix", "-", "1", "anvil"],
  ["scache", "unix", "-", "1", "scache"],
  ["postlog", "unix-dgram", "n", "1", "postlogd"],
];

/** Starts Postfix with a directory and a queue of its own, beside any other on the machine. Only root can start it. */
export async function startPostfix(
  protocol: "smtp" | "lmtp",
  target: number,
  tls: "encrypt" | "none",
): Promise<Postfix> {
  const work = mkdtempSync(join(tmpdir(), "countersign-postfix-"));
  chmodSync(work, 0o755);
  const port = await freePort();
  const etc = join(work, "etc");
  for (const folder of ["etc", "queue", "data"]) mkdirSync(join(work, folder));
  execFileSync("chown", ["postfix", join(work, "data")]);
  const settings = {
    compatibility_level: "3.6",
    queue_directory: `${work}/queue`,
    data_directory: `${work}/data`,
    maillog_file: `${work}/log`,
    maillog_file_prefixes: work,
    myhostname: "relay.example",
    mydestination: "",
    mynetworks: "127.0.0.0/8",
    inet_interfaces: "127.0.0.1",
    inet_protocols: "ipv4",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    default_transport: `${protocol}:[127.0.0.1]:${target}`,
    disable_dns_lookups: "yes",
    smtp_host_lookup: "native",
    lmtp_host_lookup: "native",
    smtp_tls_security_level: tls,
    lmtp_tls_security_level: tls,
    // A connection that was refused is tried again soon.
    queue_run_delay: "1s",
    minimal_backoff_time: "1s",
    maximal_backoff_time: "1s",
    // Retries quickly after any failure, because on a busy machine a service of Postfix may be late, and would pause
    // for a minute.
    transport_retry_time: "1s",
    service_throttle_time: "1s",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(etc, "main.cf"), lines.join(""));
  const rows = services.map(
    ([name, type, isPrivate, limit, program]) =>
      `${name} ${type} ${isPrivate} - n ${name === "qmgr" ? "1" : "-"} ${limit} ${program}\n`,
  );
  writeFileSync(join(etc, "master.cf"), `127.0.0.1:${port} inet n - n - - smtpd\n${rows.join("")}`);
  const postfix = (command: string): void =>
    void execFileSync("postfix", ["-c", etc, command], { stdio: "pipe" });
  // The command returns when its port is open.
  postfix("start");
  return {
    port,
    log: () => readFileSync(join(work, "log"), "utf8"),
    stop: () => {
      postfix("stop");
      removeDirectory(work);
    },
  };
}
