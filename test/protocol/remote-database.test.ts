import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDatabaseServer } from "../servers/database-server.ts";
import type { Fault } from "../servers/hrana.ts";
import { approvalOf } from "./answer.ts";
import { connect } from "./clients.ts";
import { newHome, storedFile } from "./home.ts";
import { decideHere } from "./program.ts";

/** Requests to the database behind the approval, each of which fails once. */
const mostRequests = 12;

const faults: readonly Fault[] = [
  { kind: "cut", when: "after" },
  { kind: "status", status: 503 },
];

describe.concurrent.each(faults)("with a database server that fails once ($kind)", (fault) => {
  it("an approved call runs once at most", { timeout: 240_000 }, async (t) => {
    const home = newHome(t);
    // The same file: the tests' own statements go past the server.
    const server = await startDatabaseServer(join(home.dir, "countersign.db"));
    home.later(() => server.close());
    Object.assign(home.env, {
      DATABASE_URL: server.url,
      DATABASE_AUTH_TOKEN: server.token,
      APPROVAL_WAIT_MS: "100",
    });
    const client = await connect(home, "v2 legacy");
    for (let at = 0; at < mostRequests; at += 1) {
      const key = `plan-${at}.md`;
      const written = await client.call("write_file", { key, content: "a plan" });
      expect(written.isError, written.text).toBe(false);
      const { id } = approvalOf(await client.call("delete_file", { key }));
      let left = -1;
      server.fault = () => {
        if (left < 0) return undefined;
        left -= 1;
        return left < 0 ? fault : undefined;
      };
      await decideHere(home, "approve", id);
      left = at;
      const ended = async (): Promise<unknown> => {
        await client.call("delete_file", { key });
        const rows = await home.sql("SELECT status FROM tickets WHERE ticket_id = ?", [id]);
        return rows[0]?.["status"];
      };
      // A run whose end could not be written is unknown when its lease has lapsed.
      await t.expect
        .poll(ended, { timeout: 60_000, interval: 200 })
        .toMatch(/^(done|failed|unknown|running)$/);
      left = -1;
      const { undoCopies } = await storedFile(home, key);
      expect(undoCopies, key).toBeLessThanOrEqual(1);
      const runs = await home.sql(
        "SELECT count(*) AS n FROM audit WHERE type = 'started' AND tool = 'delete_file' AND ticket_id = ?",
        [id],
      );
      expect(Number(runs[0]?.["n"]), key).toBeLessThanOrEqual(1);
    }
  });
});
