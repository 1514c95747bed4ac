import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { freePort, startChild, stopChild } from "./child.ts";
import type { CalendarServer } from "./calendar-server.ts";

/** Cyrus: the server that does everything right. It runs as its own user, so only root can start it. */
export async function startCyrus(): Promise<{ server: CalendarServer; stop: () => Promise<void> }> {
  const work = mkdtempSync(join(tmpdir(), "countersign-cyrus-"));
  const [imapPort, port] = [await freePort(), await freePort()];
  const folders = [
    "lib/db",
    "lib/log",
    "lib/msg",
    "lib/proc",
    "lib/socket",
    "lib/user",
    "lib/quota",
  ];
  for (const folder of [...folders, "spool", "run/proc", "run/lock", "run/socket", "sieve"]) {
    mkdirSync(join(work, folder), { recursive: true });
  }
  const imapd = join(work, "imapd.conf");
  writeFileSync(imapd, imapdConf(work));
  writeFileSync(join(work, "cyrus.conf"), cyrusConf(imapd, imapPort, port));
  for (const user of ["alice", "bob", "cyrus"]) {
    const args = ["-p", "-f", join(work, "sasldb2"), "-u", "localhost", "-c", user];
    execFileSync("/usr/sbin/saslpasswd2", args, { input: "secret" });
  }
  execFileSync("chown", ["-R", "cyrus:mail", work]);
  chmodSync(work, 0o755);
  const [uid, gid] = ["-u", "-g"].map((which) => Number(execFileSync("id", [which, "cyrus"])));
  const files = ["-C", imapd, "-M", join(work, "cyrus.conf"), "-p", join(work, "run/master.pid")];
  const child = await startChild("/usr/lib/cyrus/bin/master", ["-D", ...files], port, {
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  // Every DAV request of a user without a mailbox is answered with 500.
  for (const user of ["alice", "bob"]) await createMailbox(imapPort, user);
  return {
    server: {
      name: "Cyrus",
      url: `http://127.0.0.1:${port}`,
      home: "/dav/calendars/user/alice/",
    },
    stop: async () => {
      await stopChild(child);
      removeDirectory(work);
    },
  };
}

function imapdConf(work: string): string {
  return `configdirectory: ${work}/lib
proc_path: ${work}/run/proc
mboxname_lockpath: ${work}/run/lock
defaultpartition: default
partition-default: ${work}/spool
unixhierarchysep: yes
admins: cyrus
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: ${work}/sasldb2
sasl_mech_list: PLAIN LOGIN
httpmodules: caldav
caldav_allowscheduling: off
servername: localhost
`;
}

function cyrusConf(imapd: string, imapPort: number, port: number): string {
  return `START { recover cmd="ctl_cyrusdb -C ${imapd} -r" }
SERVICES {
  imap cmd="imapd -C ${imapd} -U 30" listen="127.0.0.1:${imapPort}" prefork=0 maxchild=10
  http cmd="httpd -C ${imapd} -U 30" listen="127.0.0.1:${port}" prefork=1 maxchild=20
}
EVENTS { checkpoint cmd="ctl_cyrusdb -C ${imapd} -c" period=30 }
`;
}

async function createMailbox(port: number, user: string): Promise<void> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let said = "";
  const until = async (mark: string): Promise<void> => {
    while (!said.includes(mark)) said += String((await once(socket, "data"))[0]);
    said = "";
  };
  await until("* OK");
  socket.write("a LOGIN cyrus secret\r\n");
  await until("a OK");
  socket.write(`b CREATE user/${user}\r\n`);
  await until("b OK");
  socket.end("c LOGOUT\r\n");
}
