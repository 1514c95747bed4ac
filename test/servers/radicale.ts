import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDirectory } from "../fakes/remove-directory.ts";
import { freePort, startChild, stopChild } from "./child.ts";
import type { CalendarServer } from "./calendar-server.ts";

/** Starts Radicale, a server with few features: it does not expand events, and has no free-busy. */
export async function startRadicale(): Promise<{
  server: CalendarServer;
  stop: () => Promise<void>;
}> {
  const work = mkdtempSync(join(tmpdir(), "countersign-radicale-"));
  const port = await freePort();
  writeFileSync(join(work, "users"), "alice:secret\nbob:secret\n");
  const config = [
    "[server]",
    `hosts = 127.0.0.1:${port}`,
    "[auth]",
    "type = htpasswd",
    `htpasswd_filename = ${join(work, "users")}`,
    "htpasswd_encryption = plain",
    "delay = 0",
    "[storage]",
    `filesystem_folder = ${join(work, "data")}`,
    "[rights]",
    "type = owner_only",
  ];
  writeFileSync(join(work, "config"), config.join("\n"));
  const child = await startChild("radicale", ["-C", join(work, "config")], port);
  return {
    server: { name: "Radicale", url: `http://127.0.0.1:${port}`, home: "/alice/" },
    stop: async () => {
      await stopChild(child);
      removeDirectory(work);
    },
  };
}
