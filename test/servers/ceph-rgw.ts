import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { freePort } from "./child.ts";

const run = promisify(execFile);

/** An S3 server for tests, and the keys of one of its users. */
export interface S3Server {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const settings = (dir: string, ports: { mon1: number; mon2: number; rgw: number }): string => `
[global]
fsid = 11111111-2222-4333-8444-555555555555
mon host = [v2:127.0.0.1:${ports.mon2},v1:127.0.0.1:${ports.mon1}]
public network = 127.0.0.0/8
cluster network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
# Without the next three lines radosgw never connects.
ms mon client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
ms bind ipv6 = false
osd pool default size = 1
osd pool default min size = 1
osd crush chooseleaf type = 0
osd pool default pg num = 8
mon allow pool size one = true
run dir = ${dir}/run
admin socket = ${dir}/run/$name.asok
log file = ${dir}/log/$name.log
[mon]
mon data = ${dir}/data/mon
[osd]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
osd objectstore = memstore
memstore device bytes = 2147483648
osd data = ${dir}/data/osd
[client.rgw]
# Without tcp_nodelay a GET takes 45 ms.
rgw frontends = beast endpoint=127.0.0.1:${ports.rgw} tcp_nodelay=1
rgw data = ${dir}/data/rgw
`;

/**
 * Starts Ceph's S3 server on a store in memory, on loopback: three processes and about 12 s to start. The gateway needs no
 * manager, which took more processor time than the other three together.
 */
export async function startCephRgw(): Promise<{ server: S3Server; stop: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "countersign-rgw-"));
  const children: ChildProcess[] = [];
  const kill = (): void => children.forEach((child) => child.kill("SIGKILL"));
  process.once("exit", kill);
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    await Promise.all(children.toReversed().map(ended));
    removeDirectory(dir);
  };
  try {
    return { server: await start(dir, children), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(dir: string, children: ChildProcess[]): Promise<S3Server> {
  const conf = join(dir, "conf");
  const [mon1, mon2, rgw] = [await freePort(), await freePort(), await freePort()];
  for (const name of ["data/mon", "data/osd", "data/rgw", "run", "log"])
    mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(conf, settings(dir, { mon1, mon2, rgw }));
  // Debian keeps daemons in /usr/sbin, which is not on everybody's PATH.
  const env = { ...process.env, CEPH_CONF: conf, PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` };
  const tool = (program: string, ...args: string[]): Promise<unknown> =>
    run(program, args, { cwd: dir, env, timeout: 60_000 });
  const daemon = (program: string, ...args: string[]): void => {
    children.push(spawn(program, [...args, "-f"], { cwd: dir, env, stdio: "ignore" }));
  };

  const monitor = `[v2:127.0.0.1:${mon2},v1:127.0.0.1:${mon1}]`;
  const keyring = ["--create-keyring", "mon.keyring", "--gen-key", "-n", "mon."];
  await tool("ceph-authtool", ...keyring, "--cap", "mon", "allow *");
  const admin = ["mon.keyring", "--gen-key", "-n", "client.admin"];
  await tool("ceph-authtool", ...admin, "--cap", "mon", "allow *", "--cap", "osd", "allow *");
  const fsid = "11111111-2222-4333-8444-555555555555";
  const map = ["--create", "--clobber", "--fsid", fsid, "--addv", "a", monitor, "mon.map"];
  await tool("monmaptool", ...map);
  const made = ["--mkfs", "-i", "a", "--monmap", "mon.map", "--keyring", "mon.keyring"];
  await tool("ceph-mon", "-c", conf, ...made);
  daemon("ceph-mon", "-c", conf, "-i", "a");
  await until("the monitor", () => tool("ceph", "-c", conf, "--connect-timeout", "2", "-s"));
  const osd = randomUUID();
  await tool("ceph", "-c", conf, "osd", "new", osd);
  await tool("ceph-osd", "-c", conf, "-i", "0", "--mkfs", "--osd-uuid", osd);
  daemon("ceph-osd", "-c", conf, "-i", "0");
  const gateway = ["mon", "allow rw", "osd", "allow rwx"];
  const into = ["-o", join(dir, "data/rgw/keyring")];
  await tool("ceph", "-c", conf, "auth", "get-or-create", "client.rgw", ...gateway, ...into);
  daemon("radosgw", "-c", conf, "-n", "client.rgw");
  await until("the gateway", () => reach(rgw));
  const [accessKeyId, secretAccessKey] = ["AKIATEST", "a-secret-of-this-test"];
  const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
  await tool("radosgw-admin", "-c", conf, "user", "create", "--uid=t", "--display-name=t", ...keys);
  return { endpoint: `http://127.0.0.1:${rgw}`, accessKeyId, secretAccessKey };
}

async function reach(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve()).once("error", reject);
  }).finally(() => socket.destroy());
}

/** Polls a server that sends no event when it is ready: 100 ms after each refusal, for two minutes at most. */
function until(what: string, attempt: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + 120_000;
  return new Promise((resolve, reject) => {
    const ask = (): void => {
      attempt().then(
        () => resolve(),
        (cause: unknown) => {
          if (Date.now() < end) setTimeout(ask, 100);
          else reject(new Error(`Ceph: ${what} did not start`, { cause }));
        },
      );
    };
    ask();
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}
