import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { makeCalendar } from "../servers/caldav.ts";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { type Home, newHome, runsOf, storedFile } from "./home.ts";
import { decideHere, runProgram } from "./program.ts";

const { radicale } = inject("calendarServers");
const parts = ["", "-wal"];
const database = (home: Home) => join(home.dir, "countersign.db");

function copyDatabase(home: Home): void {
  for (const part of parts)
    if (existsSync(`${database(home)}${part}`))
      copyFileSync(`${database(home)}${part}`, `${database(home)}.old${part}`);
}

/** Replaces the database by an older file, as a person might instead of restoring a backup. */
function putBack(home: Home): void {
  for (const part of [...parts, "-shm"]) rmSync(`${database(home)}${part}`, { force: true });
  for (const part of parts)
    if (existsSync(`${database(home)}.old${part}`))
      copyFileSync(`${database(home)}.old${part}`, `${database(home)}${part}`);
}

describe("an older copy of the database that was put back by hand", () => {
  // The copy holds an approval that was used since.
  it("runs no approved call against another version, and the record's loss is reported [audit.heads]", async (t) => {
    const home = newHome(t);
    const call = async (name: string, args: Record<string, unknown>) => {
      const client = await connectHere(home, "v2 pinned");
      const answer = await client.call(name, args);
      await client.close();
      return answer;
    };
    const key = "plan.md";
    await call("write_file", { key, content: "first" });
    const { id } = approvalOf(await call("delete_file", { key }));
    await decideHere(home, "approve", id);
    copyDatabase(home);
    expect((await call("delete_file", { key })).isError).toBe(false);
    expect(await runsOf(home, "delete_file")).toBe(1);
    await call("write_file", { key, content: "second" });
    putBack(home);

    expect((await call("delete_file", { key })).error).toMatchObject({ sideEffects: "none" });
    expect(await storedFile(home, key)).toMatchObject({ there: true });
    const verified = await runProgram(home, ["audit", "verify"]);
    expect(verified.code).not.toBe(0);
    expect(verified.stdout + verified.stderr).toMatch(/missing|cut|removed|later/i);
  });

  // The event was named at random, so that the call that ran again made a second one.
  it.skipIf(radicale === undefined)("creates no event twice", async (t) => {
    const calendar = await makeCalendar(radicale!);
    const home = newHome(t, calendar.settings);
    const start = "2026-11-24T09:00:00Z";
    const create = async () => {
      const client = await connectHere(home, "v2 pinned");
      const answer = await client.call("create_event", {
        title: "Lunch",
        start,
        end: "2026-11-24T10:00:00Z",
      });
      await client.close();
      return answer;
    };
    const { id } = approvalOf(await create());
    await decideHere(home, "approve", id);
    copyDatabase(home);
    const first = await create();
    expect(first.isError).toBe(false);
    putBack(home);
    expect((await create()).output?.["id"]).toBe(first.output?.["id"]);
    expect(await calendar.objectNames()).toHaveLength(1);
  });
});
