import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { connect, connectHere } from "./clients.ts";
import { ingestAt, ingestHere, newHome } from "./home.ts";
import { runHere } from "./program.ts";

const unfetched = "No process fetches mail at the moment";

describe.concurrent("the leader", () => {
  it(
    "is a serve 10 s after its first call if no ingest runs, and results say so before [mail.leader] [mail.unfetched]",
    { timeout: 90_000 },
    async (t) => {
      const home = newHome(t);
      const path = join(home.dir, "one.eml");
      writeFileSync(path, "Subject: left behind\r\n\r\nby one that was stopped\r\n");
      expect((await runHere(home, ["import", path])).code).toBe(0);
      // The state that an ingest leaves if it was killed right after its 250.
      await home.sql("UPDATE mail SET search_id = NULL, step = 'parse', due_at = 0");
      const client = await connectHere(home, "v2 pinned");
      // Before the call, from which the ten seconds count: a slow machine took two of them for its answer.
      const calledAt = Date.now();
      const first = await client.call("search_emails", {});
      expect(first.output).toMatchObject({ total: 0, pending: 1 });
      expect(first.text).toContain(unfetched);
      expect(await home.sql("SELECT name FROM leases")).toEqual([]);
      const search = async () => {
        const { output, text } = await client.call("search_emails", {});
        return { total: output?.["total"], saysSo: text.includes(unfetched) };
      };
      await t.expect
        .poll(search, { timeout: 60_000, interval: 250 })
        .toEqual({ total: 1, saysSo: false });
      t.expect(Date.now() - calledAt).toBeGreaterThan(8_000);
      t.expect(Date.now() - calledAt).toBeLessThan(30_000);
    },
  );

  it(
    "is missing: every result that shows mail says so, unless an ingest runs [mail.unfetched]",
    { timeout: 90_000 },
    async (t) => {
      const home = newHome(t);
      const path = join(home.dir, "one.eml");
      const attached = "Content-Disposition: attachment; filename=a.txt\r\n\r\nattached";
      writeFileSync(
        path,
        `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n${attached}\r\n--b--\r\n`,
      );
      const { stdout } = await runHere(home, ["import", path, "--json"]);
      const { emailId } = z.object({ emailId: z.string() }).parse(JSON.parse(stdout));
      const client = await connectHere(home, "v2 pinned");
      const read = await client.call("read_email", { emailId });
      const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(read.output?.["attachments"]);
      const texts = async () => [
        (await client.call("search_emails", {})).text,
        (await client.call("read_email", { emailId })).text,
        (await client.call("read_attachment", { emailId, attachmentId: id })).text,
      ];
      const saying = async () => (await texts()).map((text) => text.includes(unfetched));
      expect(await saying()).toEqual([true, true, true]);
      await ingestHere(home);
      await t.expect
        .poll(saying, { timeout: 40_000, interval: 250 })
        .toEqual([false, false, false]);
    },
  );

  it(
    "is one ingest of many, and another after it is killed [mail.leader]",
    { timeout: 90_000 },
    async (t) => {
      const home = newHome(t);
      const holder = async (): Promise<string | undefined> => {
        const rows = await home.sql("SELECT holder FROM leases WHERE until > ?", [Date.now()]);
        return typeof rows[0]?.["holder"] === "string"
          ? rows[0]["holder"].split(" ")[1]
          : undefined;
      };
      const becomes = (pid: number | undefined) =>
        t.expect.poll(holder, { timeout: 60_000, interval: 250 }).toBe(pid && String(pid));
      const first = await ingestAt(home);
      await becomes(first.process.pid);
      const second = await ingestAt(home);
      const client = await connect(home, "v2 pinned");
      expect((await client.call("search_emails", {})).text).not.toContain(unfetched);
      expect(await holder()).toBe(String(first.process.pid));
      // The process would become the leader too if it could.
      await client.close();
      await first.stop("SIGKILL");
      await becomes(second.process.pid);
      expect(await second.stop("SIGTERM")).toBe(0);
      await becomes(undefined);
    },
  );
});
