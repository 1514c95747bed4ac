import { type TestContext, describe, expect, it } from "vitest";
import { z } from "zod";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { type TestClient, connect, connectHere } from "./clients.ts";
import { type Home, newHome, operatorSecret } from "./home.ts";
import { startHttp } from "./http-server.ts";
import { runHere } from "./program.ts";

const key = "notes/a.md";

async function setUp(t: TestContext, env: Record<string, string> = {}) {
  const home = newHome(t, env);
  const client = await connectHere(home, "v2 pinned", { elicitation: "approve" });
  return { home, client, content: () => contentOf(client) };
}

async function contentOf(client: TestClient): Promise<unknown> {
  return (await client.call("read_file", { key })).output?.["content"];
}

const write = (client: TestClient, content: string) => client.call("write_file", { key, content });

interface Listed {
  sentence: string;
  client: string;
  undo: { undoId: string; until: string };
}

async function listed(home: Home): Promise<Listed[]> {
  const { stdout } = await runHere(home, ["undo", "list", "--json"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Listed);
}

/** Returns the first id of `undo list`, without its process. */
async function newestId(home: Home): Promise<string> {
  const [row] = await home.sql(
    "SELECT undo_id FROM file_changes WHERE state = 'made' ORDER BY rowid DESC LIMIT 1",
  );
  return z.string().parse(row?.["undo_id"]);
}

const undo = (home: Home, undoId: string, secret = operatorSecret) =>
  runHere(home, ["undo", undoId, "--secret-stdin"], {
    input: `${secret}\n`,
  });

function undoSuite(name: string, env: () => Promise<Record<string, string>>): void {
  describe.concurrent(`undo over ${name}`, () => {
    it("restores, recreates and removes again, each time with an undo of its own [undo.restores]", async (t) => {
      const { home, client, content } = await setUp(t, await env());
      await write(client, "first");
      const replaced = await write(client, "second");
      const [change] = await listed(home);
      expect(change).toMatchObject({
        client: "protocol-test",
        undo: { until: replaced.output?.["undoUntil"] },
      });
      expect(await undo(home, change?.undo.undoId ?? "")).toMatchObject({
        code: 0,
        stdout: `Restored ${key}.\n`,
      });
      expect(await content()).toBe("first");
      await undo(home, await newestId(home));
      expect(await content()).toBe("second");

      await client.call("delete_file", { key });
      expect((await undo(home, await newestId(home))).stdout).toBe(`Restored ${key}.\n`);
      expect(await content()).toBe("second");
      expect((await undo(home, await newestId(home))).stdout).toBe(`Removed ${key}.\n`);
      expect(await content()).toBeUndefined();
    });

    // The error said that the change was already undone.
    it("of a new file reports that the file was deleted meanwhile", async (t) => {
      const { home, client } = await setUp(t, await env());
      await write(client, "first");
      const created = await newestId(home);
      await client.call("delete_file", { key });
      expect((await undo(home, created)).stderr).toBe(
        `That change made ${key}, which was deleted afterwards. Nothing was undone.\n`,
      );
      await undo(home, await newestId(home));
      await undo(home, created);
      expect((await undo(home, created)).stderr).toContain("already undone");
    });

    it("restores any kept version, and none twice [undo.once] [undo.restores]", async (t) => {
      const { home, client, content } = await setUp(t, await env());
      for (const text of ["A", "X1", "X2"]) await write(client, text);
      const [second, first] = (await listed(home)).map((change) => change.undo.undoId);
      await undo(home, second ?? "");
      expect(await content()).toBe("X1");
      expect(await undo(home, second ?? "")).toMatchObject({
        code: 1,
        stderr: `That change of ${key} is already undone. Nothing was done.\n`,
      });
      expect(await undo(home, first ?? "")).toMatchObject({ code: 0 });
      expect(await content()).toBe("A");
      await undo(home, await newestId(home));
      expect(await content()).toBe("X1");
    });
  });
}

undoSuite("the embedded store", async () => ({}));

describe.skipIf(!hasS3())("with an S3 server", () => {
  let homes = 0;
  let bucket: ReturnType<typeof makeBucket> | undefined;
  undoSuite("a bucket", async () => {
    bucket ??= makeBucket();
    const { settings, server } = await bucket;
    homes += 1;
    return {
      S3_BUCKET: settings.bucket,
      S3_ENDPOINT: settings.endpoint,
      S3_ACCESS_KEY_ID: server.accessKeyId,
      S3_SECRET_ACCESS_KEY: server.secretAccessKey,
      S3_PREFIX: `undo-${homes}/`,
    };
  });
});

describe.concurrent("kept copies", () => {
  const megabyte = 1_048_576;

  it("stay within a limit, and the user's version is among them [undo.budget]", async (t) => {
    const { home, client, content } = await setUp(t, {
      TOOL_CALLS_PER_MINUTE: "200",
      TOOL_CALLS_PER_TURN: "200",
    });
    await write(client, "the user's");
    await home.sql("DELETE FROM file_changes");
    for (let number = 0; number < 60; number += 1) {
      const written = await write(client, String(number % 10).repeat(megabyte));
      expect(written.output, String(number)).toMatchObject({ created: false });
    }
    const [kept] = await home.objectSql(
      "SELECT sum(bytes) AS bytes FROM objects WHERE key LIKE 'undo/%'",
    );
    expect(Number(kept?.["bytes"])).toBeLessThanOrEqual(33 * megabyte);
    const oldest = (await listed(home)).at(-1);
    expect(await undo(home, oldest?.undo.undoId ?? "")).toMatchObject({ code: 0 });
    expect(await content()).toBe("the user's");
  });

  it("make a replacement ask if the user's versions fill the limit [undo.budget]", async (t) => {
    const home = newHome(t, {});
    const client = await connectHere(home, "v2 pinned");
    await write(client, "a");
    await write(client, "b");
    await home.sql(
      "UPDATE file_changes SET kept_bytes = ?, is_original = 1 WHERE kind = 'replaced'",
      [32 * megabyte],
    );
    const asked = await write(client, "c");
    expect(asked.error).toMatchObject({ kind: "approval_required" });
    expect((await runHere(home, ["approvals", "list", "--json"])).stdout).toContain(
      "beyond the space for such copies",
    );
  });
});

describe.concurrent("permission to undo", () => {
  it("requires a person at a terminal or a secret [undo.person]", async (t) => {
    const { home, client, content } = await setUp(t);
    await write(client, "first");
    await write(client, "second");
    const undoId = await newestId(home);
    const refused = await runHere(home, ["undo", undoId]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("needs a person at a terminal");
    const wrong = await undo(home, undoId, "a-wrong-secret-of-somebody");
    expect(wrong).toMatchObject({
      code: 1,
      stderr: "This is not an approver's secret. Nothing was undone.\n",
    });
    expect(await content()).toBe("second");
  });

  it("belongs to the approver of the change's caller, and to the operator [undo.person]", async (t) => {
    const { home, client } = await setUp(t, {
      APPROVERS: `bob:bobs-very-own-secret,operator:${operatorSecret}`,
    });
    await write(client, "first");
    const refused = await undo(home, await newestId(home), "bobs-very-own-secret");
    expect(refused).toMatchObject({
      code: 1,
      stderr:
        "The approver bob decides only for the caller bob, and this belongs to local. Nothing was undone.\n",
    });
  });

  it("is never given to a model: no tool accepts an id, and none is in a result [undo.person]", async (t) => {
    const { home, client } = await setUp(t);
    const first = await write(client, "first");
    const second = await write(client, "second");
    const deleted = await client.call("delete_file", { key });
    const ids = (await listed(home)).map((change) => change.undo.undoId);
    expect(ids).toHaveLength(3);
    const seen = JSON.stringify([first, second, deleted]);
    for (const undoId of ids) expect(seen).not.toContain(undoId);
    const tools = await client.listTools();
    expect(tools.filter(({ name }) => name.includes("undo"))).toEqual([]);
  });
});

describe.concurrent("undo", () => {
  it("is recorded with its person, before and after [undo.audited]", async (t) => {
    const { home, client } = await setUp(t);
    await write(client, "first");
    await undo(home, await newestId(home));
    const rows = await home.sql(
      "SELECT type, principal, client, sentence, outcome FROM audit WHERE tool = 'undo' ORDER BY seq",
    );
    const event = { principal: "local", client: "terminal" };
    expect(rows.map((row) => ({ ...row }))).toEqual([
      {
        type: "started",
        ...event,
        sentence: `remove ${key}`,
        outcome: "undo (terminal, operator)",
      },
      {
        type: "finished",
        ...event,
        sentence: `removed ${key}`,
        outcome: "ok (terminal, operator)",
      },
    ]);
    expect((await runHere(home, ["audit", "verify"])).code).toBe(0);
  });

  it(
    "keeps no copy after its time: the leader removes it [undo.expires]",
    { timeout: 120_000 },
    async (t) => {
      const { home, client } = await setUp(t);
      await write(client, "first");
      await write(client, "second");
      await client.close();
      const copies = () => home.objectSql("SELECT key FROM objects WHERE key LIKE 'undo/%'");
      expect(await copies()).toHaveLength(1);
      await home.sql("UPDATE file_changes SET until = 1");
      // The role is taken 10 s after the first call.
      const next = await connectHere(home, "v2 pinned");
      expect(await contentOf(next)).toBe("second");
      await t.expect.poll(copies, { timeout: 60_000, interval: 250 }).toEqual([]);
      expect(await contentOf(next)).toBe("second");
    },
  );

  // The list lacked such a change.
  it("lists a change whose process was killed before it recorded the end", async (t) => {
    const home = newHome(t, {});
    const server = startHttp(home);
    const client = await connect(home, "v2 pinned", { over: "HTTP", at: server });
    await write(client, "first");
    await write(client, "second");
    server.child.kill("SIGKILL");
    await server.ended;
    // A busy machine may leave it the time.
    await home.sql("DELETE FROM audit WHERE type = 'finished'");
    const [change, ...others] = await listed(home);
    expect(change).toMatchObject({ client: "protocol-test", sentence: `replaced ${key}` });
    expect(others).toHaveLength(1);
    await undo(home, change?.undo.undoId ?? "");
    expect(await contentOf(await connectHere(home, "v2 pinned"))).toBe("first");
  });

  it("reports an absent or expired change [undo.expires]", async (t) => {
    const { home, client } = await setUp(t);
    expect((await runHere(home, ["undo", "list"])).stdout).toBe("There is nothing to undo.\n");
    expect((await undo(home, "un_nothing")).stderr).toBe(
      "The change un_nothing does not exist, or can no longer be undone. Nothing was undone.\n",
    );
    await write(client, "first");
    await write(client, "second");
    const undoId = await newestId(home);
    const { stdout } = await runHere(home, ["undo", "list"]);
    expect(stdout).toMatch(new RegExp(`^replaced ${key}(, 6 bytes)?  ${undoId}  until `));
    expect(stdout).not.toMatch(/\dZ/);
    await home.sql("UPDATE file_changes SET until = 1 WHERE undo_id = ?", [undoId]);
    expect((await undo(home, undoId)).stderr).toBe(
      `The copy for ${undoId} was kept until 1970-01-01T00:00:00.001Z. Nothing was undone.\n`,
    );
    const copies = "SELECT key FROM objects WHERE key LIKE 'undo/%'";
    expect(await home.objectSql(copies)).toEqual([]);
    expect(await listed(home)).toHaveLength(1);
  });
});
