import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./clients.ts";
import { type Home, newHome, newSuiteHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";

/** The copied start of every test: a server that has made calls, and has ended. */
const origin = newSuiteHome();
let last = 0;

beforeAll(async () => {
  await callsIn(origin, 6);
  [{ seq: last } = { seq: 0 }] = (await origin.sql(
    "SELECT max(seq) AS seq FROM audit",
  )) as unknown as [{ seq: number }];
  expect(last).toBeGreaterThanOrEqual(8);
});

async function callsIn(home: Home, count: number): Promise<void> {
  const client = await connect(home, "v2 pinned");
  await client.call("write_file", { key: "a.txt", content: "one" });
  for (let call = 0; call < count; call += 1) {
    await client.call("list_files", { prefix: `p${call}` });
  }
  await client.close();
}

function copyOf(t: TestContext): Home {
  const home = newHome(t);
  cpSync(origin.dir, home.dir, { recursive: true });
  return home;
}

const verify = (home: Home, ...more: string[]) => runHere(home, ["audit", "verify", ...more]);
const headsIn = (home: Home) => readdirSync(join(home.dir, "audit"));
const isoTime = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

describe.concurrent("audit verify", () => {
  it("reports up to which event the chain is complete [audit.verify]", async (t) => {
    const home = copyOf(t);
    const { code, stdout } = await verify(home);
    expect(stdout).toMatch(
      new RegExp(
        String.raw`^complete up to event ${last} \([0-9a-f]{16}\) of ${isoTime}: ${last} events, each signed with the one before it\.\n$`,
      ),
    );
    expect(code).toBe(0);
    const json = JSON.parse((await verify(home, "--json")).stdout) as object;
    expect(json).toMatchObject({ complete: true, events: last, breaks: [], head: { seq: last } });
  });

  const edits: readonly [name: string, sql: readonly string[], what: () => string][] = [
    [
      "was edited",
      ["UPDATE audit SET sentence = 'nothing' WHERE seq = 3"],
      () => `event 3 of ${isoTime} was changed, inserted or moved`,
    ],
    [
      "got another time",
      ["UPDATE audit SET at = at + 1 WHERE seq = 3"],
      () => `event 3 of ${isoTime} was changed, inserted or moved`,
    ],
    [
      "cannot be read any more",
      ["UPDATE audit SET type = 'nonsense' WHERE seq = 3"],
      () => "event 3 was changed and cannot be read",
    ],
    [
      "was removed",
      ["DELETE FROM audit WHERE seq = 3"],
      () => `event 3 is missing, after event 2 of ${isoTime}`,
    ],
    ["was the first, and removed", ["DELETE FROM audit WHERE seq = 1"], () => "event 1 is missing"],
    [
      "changed places with another",
      [
        "UPDATE audit SET seq = -3 WHERE seq = 3",
        "UPDATE audit SET seq = 3 WHERE seq = 4",
        "UPDATE audit SET seq = 4 WHERE seq = -3",
      ],
      () => `event 3 of ${isoTime} was changed, inserted or moved`,
    ],
    [
      "was inserted",
      [
        "UPDATE audit SET seq = -seq WHERE seq >= 4",
        "UPDATE audit SET seq = 1 - seq WHERE seq < 0",
        "INSERT INTO audit SELECT 4, mac, key_id, type, at, call_id, ticket_id, principal, client, tool, risk, digest, sentence, outcome, content FROM audit WHERE seq = 3",
      ],
      () => `event 4 of ${isoTime} was changed, inserted or moved`,
    ],
    [
      "was put before the first",
      [
        "INSERT INTO audit SELECT 0, mac, key_id, type, at, call_id, ticket_id, principal, client, tool, risk, digest, sentence, outcome, content FROM audit WHERE seq = 3",
      ],
      () => "event 0 is before the start of the record",
    ],
    [
      "was cut off at the end",
      ["DELETE FROM audit WHERE seq >= (SELECT max(seq) FROM audit) - 1"],
      () =>
        `events ${last - 1} to ${last} are missing at the end, as the head of ${isoTime} in the data directory shows`,
    ],
  ];
  it.for(edits)("finds an event that %s [audit.verify]", async ([, statements, what], t) => {
    const home = copyOf(t);
    for (const sql of statements) await home.sql(sql);
    const { code, stdout, stderr } = await verify(home);
    expect(stderr).toMatch(new RegExp(`^BROKEN: ${what()}\\.$`, "m"));
    expect(stderr.split("\n")[0]).toMatch(new RegExp(what()));
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });

  it("still finds a cut before later events, because the old head stays [audit.heads]", async (t) => {
    const home = copyOf(t);
    await home.sql("DELETE FROM audit WHERE seq >= 5");
    await callsIn(home, 8);
    expect(headsIn(home)).toHaveLength(2);
    const { code, stderr } = await verify(home);
    expect(stderr).toMatch(new RegExp(`event ${last} was replaced, as the head of ${isoTime}`));
    expect(code).toBe(1);
  });

  it("compares with the object store alone if the data directory lost its heads [audit.heads]", async (t) => {
    const home = copyOf(t);
    rmSync(join(home.dir, "audit"), { recursive: true });
    expect((await verify(home)).stdout).toContain(`complete up to event ${last}`);
    await home.sql("DELETE FROM audit WHERE seq = ?", [last]);
    const { stderr } = await verify(home);
    expect(stderr).toMatch(
      new RegExp(
        `event ${last} is missing at the end, as the head of ${isoTime} in the object store shows`,
      ),
    );
  });

  it("ignores heads and checkpoints without a valid signature [audit.heads]", async (t) => {
    const home = copyOf(t);
    const [name = ""] = headsIn(home);
    writeFileSync(join(home.dir, "audit", name), "{}\n");
    expect((await verify(home)).stderr).toContain(
      `${name} in the data directory is not a head: it was changed`,
    );
    await home.sql(
      `INSERT INTO audit_checkpoint SELECT 1, seq, mac, at, key_id, 'forged' FROM audit WHERE seq = 3`,
    );
    await home.sql("DELETE FROM audit WHERE seq <= 3");
    const { code, stderr } = await verify(home);
    expect(stderr).toContain("the checkpoint at the start of the record, after event 3, is forged");
    expect(code).toBe(1);
  });

  it("lists events that need another installation's key [audit.keys]", async (t) => {
    const home = copyOf(t);
    const other = newHome(t, { DATABASE_URL: `file:${join(home.dir, "countersign.db")}` });
    await callsIn(other, 2);
    const alone = await verify(home);
    expect(alone.code).toBe(1);
    expect(alone.stderr).toMatch(
      /events were signed with the key [0-9a-f]{12}, which is not available/,
    );
    const both = await verify(home, "--key", join(other.dir, "install.key"));
    expect(both.stdout).toContain("complete up to event");
    await home.sql("UPDATE audit SET outcome = 'x' WHERE seq = ?", [last + 1]);
    const found = await verify(home, "--key", join(other.dir, "install.key"));
    expect(found.stderr).toContain(`event ${last + 1} of`);
  });
});

describe("events of more than a year ago", () => {
  it(
    "are removed by the leader, and verify follows the rest from a signed checkpoint [audit.retention]",
    { timeout: 120_000 },
    async (t) => {
      const home = newHome(t);
      const longAgo = new URL("../servers/long-ago.mjs", import.meta.url).href;
      const env = { ...home.env, NODE_OPTIONS: `--import=${longAgo}` };
      await callsIn({ ...home, env }, 2);
      const [newest] = await home.sql("SELECT max(seq) AS seq FROM audit");
      const old = Number(newest?.["seq"]);
      const client = await connect(home, "v2 pinned");
      await client.call("write_file", { key: "b.txt", content: "new" });
      const checkpoint = "SELECT seq FROM audit_checkpoint";
      // The role is taken 10 s after the first call.
      await t.expect
        .poll(() => home.sql(checkpoint), { timeout: 60_000, interval: 250 })
        .toEqual([{ seq: old }]);
      await client.close();
      const { code, stdout } = await verify(home, "--json");
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { complete: true, breaks: [], checkpoint: { seq: old } },
      ]);
      const listed = (await runHere(home, ["audit", "list"])).stdout;
      expect(listed).not.toContain("a.txt");
      expect(listed).toContain("b.txt");
      expect(listed).toContain(`removed ${old} records older than 365 days`);
      await home.sql("UPDATE audit_checkpoint SET at = at + 1");
      expect((await verify(home)).stderr).toContain(`after event ${old}, is forged`);
    },
  );
});

describe.concurrent("audit list", () => {
  it("streams all events, or the requested ones [audit.list]", async (t) => {
    const home = copyOf(t);
    const list = async (...more: string[]) => {
      const { stdout, code } = await runHere(home, ["audit", "list", "--json", ...more]);
      expect(code).toBe(0);
      const lines = stdout.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as { seq: number; tool: string; at: string });
    };
    const all = await list();
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
    const written = await list("--tool", "write_file");
    expect(written).toMatchObject([
      { type: "started", principal: "local", risk: "medium" },
      { type: "finished", sentence: "wrote a.txt, 3 bytes", outcome: "ok" },
    ]);
    expect(await list("--principal", "nobody")).toEqual([]);
    const none = await runHere(home, ["audit", "list", "--principal", "nobody"]);
    expect(none.stdout).toBe("No events were found.\n");
    const since = all[4]?.at ?? "";
    const count = all.filter(({ at }) => at >= since).length;
    expect(await list("--since", since)).toHaveLength(count);
    expect(await list("--until", since)).toHaveLength(all.length - count);
    const text = await runProgram(home, ["audit", "list", "--tool", "write_file"]);
    expect(text.stdout.split("\n")[1]).toContain(
      "finished  local  protocol-test  write_file  ok  wrote a.txt, 3 bytes",
    );
  });
});
