import { spawn, spawnSync } from "node:child_process";
import { killChild } from "./child.ts";

const apart = ["--mount", "--propagation", "private"];
/** The directory by which programs see that systemd runs is made in a /run that only these processes have. */
const ownRun = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system /run/user";

/** Returns whether this machine allows a user's systemd beside the processes that already run. */
export function canRunUserSystemd(): boolean {
  return spawnSync("unshare", [...apart, "sh", "-c", ownRun]).status === 0;
}

/** Runs shell commands beside a real systemd in user mode, and returns all that they print. */
export function besideUserSystemd(
  home: { dir: string; later(cleanUp: () => unknown): void },
  commands: string,
): Promise<string> {
  const script = `
    ${ownRun} && chmod 700 /run/user
    export XDG_RUNTIME_DIR=/run/user HOME="$1" XDG_CONFIG_HOME="$1/config"
    unset DBUS_SESSION_BUS_ADDRESS
    /lib/systemd/systemd --user --log-target=null >/dev/null 2>&1 &
    manager=$!
    until systemctl --user show --property=Version >/dev/null 2>&1; do sleep 0.1; done
    cd "$1"
    ${commands}
    kill $manager
    wait $manager`;
  const child = spawn("unshare", [...apart, "sh", "-c", script, "sh", home.dir], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "" },
  });
  home.later(() => killChild(child));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(said));
  });
}
