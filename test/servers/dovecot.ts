import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { makeCertificate } from "./certificate.ts";
import { freePort, startChild, stopChild } from "./child.ts";
import { unpacked } from "./servers.ts";

export interface Dovecot {
  port: number;
  /** A second address of this machine, with TLS from the start at port 993. */
  tlsHost: string;
  /** The authority that its certificate is trusted by. */
  caFile: string;
  /** Delivers as a mail server does, without IMAP. `folder` as Maildir++ names it: empty for the inbox. */
  deliver(user: string, message: string | Uint8Array, folder?: string): void;
  /** The messages of a folder, in no order. */
  messages(user: string, folder?: string): string[];
  /** The messages with all facts that the server has. */
  removeFolder(user: string, folder: string): void;
  stop(): Promise<void>;
}

export const password = "imap-canary-secret";

/**
 * Starts Dovecot with an account for every name, all with the same password, and a junk folder called `Spam`. It runs
 * as users of its own, so only root can start it.
 * @param without capabilities that it hides
 */
export async function startDovecot(without: readonly string[] = []): Promise<Dovecot> {
  const work = mkdtempSync(join(tmpdir(), "countersign-dovecot-"));
  const port = await freePort();
  // The server gets an address of its own in 127.0.0.0/8, because 993 is one port.
  const tlsHost = `127.0.${1 + (process.pid % 250)}.${1 + Math.floor(Math.random() * 250)}`;
  const certificate = makeCertificate(work, [tlsHost, "127.0.0.1"]);
  const [uid, gid] = ["-u", "-g"].map((which) => Number(execFileSync("id", [which, "mail"])));
  const owned = (path: string): void => chownSync(path, uid ?? 0, gid ?? 0);
  const home = join(work, "home");
  mkdirSync(home);
  owned(home);
  chmodSync(work, 0o755);
  const config = join(work, "dovecot.conf");
  writeFileSync(config, configuration(work, { port, tlsHost, certificate, without }));
  const child = await startChild("dovecot", ["-F", "-c", config], port);

  function directory(user: string, folder = ""): string {
    return join(home, user, "Maildir", folder);
  }
  return {
    port,
    tlsHost,
    caFile: certificate.cert,
    deliver: (user, message, folder) => {
      let path = home;
      for (const part of [user, "Maildir", ...(folder === undefined ? [] : [folder]), "tmp"]) {
        path = join(path, part);
        if (existsSync(path)) continue;
        mkdirSync(path);
        owned(path);
      }
      const arrivals = join(path, "../new");
      if (!existsSync(arrivals)) mkdirSync(arrivals);
      owned(arrivals);
      const name = `${process.hrtime.bigint()}.M1.test`;
      writeFileSync(join(path, name), message);
      owned(join(path, name));
      renameSync(join(path, name), join(arrivals, name));
    },
    messages: (user, folder) =>
      ["new", "cur"]
        .map((state) => join(directory(user, folder), state))
        .filter((path) => existsSync(path))
        .flatMap((path) => readdirSync(path).map((name) => readFileSync(join(path, name), "utf8"))),
    removeFolder: (user, folder) =>
      rmSync(directory(user, folder), { recursive: true, force: true }),
    stop: async () => {
      await stopChild(child);
      removeDirectory(work);
    },
  };
}

function configuration(
  work: string,
  {
    port,
    tlsHost,
    certificate,
    without,
  }: {
    port: number;
    tlsHost: string;
    certificate: { cert: string; key: string };
    without: readonly string[];
  },
): string {
  const programs = unpacked("usr/lib/dovecot");
  const known = "IMAP4rev1 SASL-IR LITERAL+ ENABLE IDLE NAMESPACE SPECIAL-USE UIDPLUS MOVE";
  const capabilities = known.split(" ").filter((name) => !without.includes(name));
  return `
base_dir = ${work}/run
state_dir = ${work}/state
log_path = ${work}/log
protocols = imap
ssl = yes
ssl_cert = <${certificate.cert}
ssl_key = <${certificate.key}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${work}/home/%u
}
first_valid_uid = 1
mail_location = maildir:~/Maildir
${without.length > 0 ? `imap_capability = ${capabilities.join(" ")}` : ""}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Spam {
    auto = create
    special_use = \\Junk
  }
}
service imap-login {
  executable = ${programs}/imap-login
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    address = ${tlsHost}
    port = 993
    ssl = yes
  }
}
${["imap", "imap-hibernate", "imap-urlauth", "imap-urlauth-login", "imap-urlauth-worker"]
  .map((name) => `service ${name} {\n  executable = ${programs}/${name}\n}`)
  .join("\n")}
`;
}
