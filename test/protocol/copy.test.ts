import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, it, vi } from "vitest";
import { s3Environment, storesAt } from "../servers/ingest.ts";
import { startDatabaseServer } from "../servers/database-server.ts";
import type { HranaServer } from "../servers/hrana.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { expectAll, filledHome, killedAt, message, newlyFilledHome } from "./filled-home.ts";
import { type Home, ingestAt, newHome } from "./home.ts";
import { decideHere, runHere, runProgram } from "./program.ts";

/** A copy of these few rows makes fewer boundaries known. */
const mostBoundaries = 600;
/** KILL_MESSAGES visits every boundary. */
const everyBoundary = process.env["KILL_MESSAGES"] === undefined ? 23 : 1;

vi.setConfig({ testTimeout: 600_000 });

interface Target {
  /** The file with the settings. */
  file: string;
  /** A data directory and settings with which the target is used. */
  home: Home;
  secrets: readonly string[];
}

function targetOf(t: TestContext, from: Home, settings: Record<string, string>): Target {
  const file = join(newHome(t).dir, "new.env");
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  return {
    file,
    home: {
      ...from,
      dir: settings["COUNTERSIGN_DATA_DIR"] ?? from.dir,
      env: { ...from.env, ...settings },
    },
    secrets: [],
  };
}

/** Starts a database server and a store with a bucket, both empty. */
async function servers(t: TestContext, from: Home): Promise<Target & { server: HranaServer }> {
  const server = await startDatabaseServer(join(newHome(t).dir, "server.db"));
  t.onTestFinished(() => server.close());
  const bucket = s3Environment((await makeBucket()).settings);
  const target = targetOf(t, from, {
    DATABASE_URL: server.url,
    DATABASE_AUTH_TOKEN: server.token,
    ...bucket,
  });
  return { ...target, server, secrets: [server.token, bucket["S3_SECRET_ACCESS_KEY"] ?? ""] };
}

/** Creates another data directory. */
function files(t: TestContext, from: Home): Target {
  const { dir } = newHome(t);
  return targetOf(t, from, { COUNTERSIGN_DATA_DIR: dir });
}

/** Settings of nothing but the files in a data directory. */
function withoutServers(target: Target): Target {
  const env = Object.entries(target.home.env).filter(([name]) => !/^(?:S3|DATABASE)_/.test(name));
  return { ...target, home: { ...target.home, env: Object.fromEntries(env) } };
}

const copy = (home: Home, { file }: Target) => runHere(home, ["copy", "--to", file]);

async function expectCopied(from: Home, target: Target): Promise<string> {
  const { code, stdout, stderr } = await copy(from, target);
  expect(code, stdout + stderr).toBe(0);
  for (const secret of target.secrets) expect(stdout + stderr).not.toContain(secret);
  return stdout;
}

describe.skipIf(!hasS3())("a copy to a database server and a bucket", () => {
  it("has everything, is compared by count and hash, and can be copied back into files", async (t) => {
    const home = await filledHome(t);
    const target = await servers(t, home);
    const { code, stdout: said, stderr } = await runProgram(home, ["copy", "--to", target.file]);
    expect(code, said + stderr).toBe(0);
    for (const secret of target.secrets) expect(said + stderr).not.toContain(secret);
    expect(said).toMatch(/^table mail: 3 rows, 3 of them copied now$/m);
    expect(said).toMatch(/^compared by count and hash: \d+ tables with \d+ rows are equal$/m);
    expect(said).toMatch(/^compared by count and hash: \d+ objects with .* are equal$/m);
    expect(said).toContain("The copy is complete");
    await expectAll(target.home);
    await expectAll(home);

    const back = withoutServers(files(t, target.home));
    await expectCopied(target.home, back);
    await expectAll(back.home);
    // The new stores work: mail arrives, is found and is counted on.
    const ingest = await ingestAt(back.home);
    expect(await ingest.stop("SIGTERM")).toBe(0);
  });

  it("is finished by a repeat, wherever it was killed", async (t) => {
    const home = await filledHome(t);
    const target = await servers(t, home);
    let boundary = 1;
    for (let wasKilled = true; wasKilled; boundary += everyBoundary) {
      expect(boundary).toBeLessThan(mostBoundaries);
      wasKilled = await killedAt(home, ["copy", "--to", target.file], boundary);
    }
    expect(boundary).toBeGreaterThan(4 * everyBoundary);
    await expectAll(target.home);
    await expectAll(home);
    expect(await expectCopied(home, target)).toContain("Nothing was copied again");
  });

  it("is refused by every program until it is complete, and a repeat copies changes too", async (t) => {
    const home = await filledHome(t);
    const target = await servers(t, home);
    expect(await killedAt(home, ["copy", "--to", target.file], 150)).toBe(true);
    const { code, stderr } = await runHere(target.home, ["mail", "list"]);
    expect(code).toBe(1);
    expect(stderr).toContain("has an unfinished copy");
    const stores = storesAt(home.dir, home.env);
    const was = await stores.objects.head("files/plan.md");
    await stores.objects.put("files/plan.md", Buffer.from("other"), {
      mediaType: "text/markdown",
      when: { kind: "unchanged", etag: was?.etag ?? "" },
    });
    await stores.objects.put("files/plan.md", Buffer.from("a plan"), {
      mediaType: "text/markdown",
    });
    const { hits } = await stores.mail.search({ query: "word3", limit: 5 });
    await stores.close();
    const deleted = await runHere(home, ["mail", "delete", hits[0]?.emailId ?? ""], {
      input: "yes\n",
    });
    expect(deleted.code, deleted.stderr).toBe(0);
    await expectCopied(home, target);
    const there = storesAt(target.home.dir, target.home.env);
    const found = await there.mail.search({ limit: 5 });
    await there.close();
    expect(found.hits.map(({ subject }) => subject).toSorted()).toEqual(["number 1", "number 2"]);
  });

  it("copies the objects alone if the database stays", async (t) => {
    const home = await filledHome(t);
    const target = targetOf(t, home, s3Environment((await makeBucket()).settings));
    expect(await expectCopied(home, target)).not.toContain("table mail");
    await expectAll(target.home);
    const again = await expectCopied(home, target);
    expect(again).toMatch(/^objects: 0 copied now/m);
    // An older version in the bucket was "changed while it was copied", and no repeat could help.
    const stores = storesAt(target.home.dir, target.home.env);
    const was = await stores.objects.head("files/plan.md");
    await stores.objects.put("files/plan.md", Buffer.from("an older plan"), {
      mediaType: "text/markdown",
      when: { kind: "unchanged", etag: was?.etag ?? "" },
    });
    const older = await copy(home, target);
    expect(older.code).toBe(1);
    expect(older.stderr).toContain("another version of files/plan.md, which was not replaced");
    await stores.objects.remove("files/plan.md");
    await expectCopied(home, target);
    await stores.objects.put("files/other.md", Buffer.from("x"), { mediaType: "text/plain" });
    await stores.close();
    const { code, stderr } = await copy(home, target);
    expect(code).toBe(1);
    expect(stderr).toContain("object store has other data");
  });
});

describe("a copy", () => {
  it("is refused into other data, into itself, and without its file", async (t) => {
    const home = await filledHome(t);
    const other = await newlyFilledHome(t, {});
    const filled = targetOf(t, home, { DATABASE_URL: `file:${join(other.dir, "countersign.db")}` });
    const itself = targetOf(t, home, { UNDO_HOURS: "5" });
    const another = targetOf(t, home, { COUNTERSIGN_DATA_DIR: other.dir });
    for (const [target, words] of [
      [filled, "database has other data"],
      [itself, "names the stores that are in use already"],
      [another, "is the key of a different installation"],
      [{ ...itself, file: "none.env" }, "does not exist"],
    ] as const) {
      const { code, stderr } = await copy(home, target);
      expect(code, words).toBe(1);
      expect(stderr).toContain(words);
      expect(stderr).toContain("Nothing was copied");
    }
    await expectAll(other);
    await expectAll(home);
  });

  it("says that it is not complete if the database server falls silent or reaches a limit", async (t) => {
    // The last line was "Nothing was changed", after some tables were copied. At the limit of a plan it was "did not
    // answer".
    const home = await filledHome(t);
    const server = await startDatabaseServer(join(newHome(t).dir, "server.db"));
    t.onTestFinished(() => server.close());
    const target = targetOf(t, home, {
      DATABASE_URL: server.url,
      DATABASE_AUTH_TOKEN: server.token,
    });
    const isLater = /INSERT OR REPLACE INTO \W+mail_words_docsize/;
    const faults = [
      [{ kind: "status", status: 503 }, "did not answer."],
      [{ kind: "refused", code: "BLOCKED" }, "a limit of your plan is reached."],
    ] as const;
    for (const [fault, reason] of faults) {
      server.fault = (requests) => (isLater.test(JSON.stringify(requests)) ? fault : undefined);
      const { code, stdout, stderr } = await copy(home, target);
      expect(code).toBe(1);
      expect(stdout).toMatch(/^table mail: 3 rows, \d of them copied now$/m);
      expect(stderr).toContain(reason);
      expect(stderr).toMatch(/\. The copy is not complete\. .*Run \S.* copy again\.$/m);
    }
    server.fault = () => undefined;
    await expectCopied(home, target);
    await expectAll(target.home);
  });

  it("is not called complete by a repeat if the source was changed afterwards", async (t) => {
    // A repeat said "The copy is complete, and the source is unchanged" without the mail that had arrived meanwhile.
    const home = await filledHome(t);
    const target = files(t, home);
    await expectCopied(home, target);
    expect(await expectCopied(home, target)).toContain("Nothing was copied again");
    const file = join(newHome(t).dir, "4.eml");
    writeFileSync(file, message(4));
    expect((await runHere(home, ["import", file])).code).toBe(0);
    const { code, stdout, stderr } = await copy(home, target);
    expect(code).toBe(1);
    expect(stdout).not.toContain("The copy is complete");
    expect(stderr).toMatch(/was complete at .*, but the source was changed afterwards\./);
    await expectAll(target.home);
  });

  it("is refused while ingest runs", async (t) => {
    const home = await filledHome(t);
    const target = files(t, home);
    const ingest = await ingestAt(home);
    const { code, stderr } = await copy(home, target);
    expect(code).toBe(1);
    expect(stderr).toMatch(/process \d+ on .* uses these stores now\. Nothing was copied\./);
    expect(await ingest.stop("SIGTERM")).toBe(0);
    await expectCopied(home, target);
    await expectAll(target.home);
  });

  it("carries no approval over: an approved call runs in the old place alone", async (t) => {
    const home = newHome(t);
    const client = await connectHere(home, "v2 legacy");
    await client.call("write_file", { key: "a.md", content: "text" });
    const { id } = approvalOf(await client.call("delete_file", { key: "a.md" }));
    await client.close();
    await decideHere(home, "approve", id);
    const target = files(t, home);
    expect(await expectCopied(home, target)).toContain("approvals that end");
    const there = await connectHere(target.home, "v2 legacy");
    const { output } = await there.call("check_approval", { approvalId: id });
    expect(output?.["status"]).toBe("unknown");
    expect((await there.call("read_file", { key: "a.md" })).output).toMatchObject({
      content: "text",
    });
  });
});
