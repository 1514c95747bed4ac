import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { type TestContext, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { hasS3, makeBucket, type TestBucket } from "../servers/s3-bucket.ts";
import { connect, connectHere } from "./clients.ts";
import { newHome } from "./home.ts";
import { runHere, runProgram } from "./program.ts";

describe.skipIf(!hasS3())("the built server over S3", () => {
  let bucket: TestBucket;
  let homes = 0;
  beforeAll(async () => {
    bucket = await makeBucket();
  });

  function s3Home(t: TestContext, other: Record<string, string> = {}) {
    homes += 1;
    const prefix = `home-${homes}/`;
    const home = newHome(t, {
      S3_BUCKET: bucket.settings.bucket,
      S3_ENDPOINT: bucket.settings.endpoint,
      S3_ACCESS_KEY_ID: bucket.server.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.server.secretAccessKey,
      S3_PREFIX: prefix,
      ...other,
    });
    return { home, prefix };
  }

  async function keysIn(prefix: string): Promise<string[]> {
    const { bucket: Bucket } = bucket.settings;
    const page = await bucket.client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    return (page.Contents ?? []).map(({ Key = "" }) => Key.slice(prefix.length));
  }

  it("[store.end-to-end] keeps files in the bucket, replaces and deletes them with an undo copy", async (t) => {
    const { home, prefix } = s3Home(t);
    const client = await connect(home, "v2 pinned", { elicitation: "approve" });
    const key = "notes/plan.md";
    const first = await client.call("write_file", {
      key,
      content: "# Plan",
      mediaType: "text/markdown",
    });
    expect(first.output).toMatchObject({ key, bytes: 6, created: true });
    expect(await keysIn(prefix)).toEqual([`files/${key}`]);
    const read = await client.call("read_file", { key });
    expect(read.output).toMatchObject({ content: "# Plan", mediaType: "text/markdown" });
    expect(read.output?.["etag"]).toBe(first.output?.["etag"]);
    expect((await client.call("list_files")).output).toMatchObject({ files: [{ key, bytes: 6 }] });

    const ifMatch = first.output?.["etag"];
    const second = await client.call("write_file", { key, content: "# Plan B", ifMatch });
    expect(second.output).toMatchObject({ created: false });
    const stale = await client.call("write_file", { key, content: "# Plan C", ifMatch });
    expect(stale.error).toMatchObject({ kind: "conflict", sideEffects: "none" });
    const undoCopies = (keys: string[]) => keys.filter((kept) => kept.startsWith("undo/")).length;
    expect(undoCopies(await keysIn(prefix))).toBe(1);

    const deleted = await client.call("delete_file", { key });
    expect(deleted.output).toMatchObject({ key, deleted: true });
    const left = await keysIn(prefix);
    expect(left).toHaveLength(2);
    expect(undoCopies(left)).toBe(2);
    expect((await client.call("read_file", { key })).error).toMatchObject({ kind: "not_found" });
    expect(existsSync(join(home.dir, "objects.db"))).toBe(false);
  });

  it("keeps imported mail in the bucket, searchable and readable", async (t) => {
    const { home, prefix } = s3Home(t);
    const path = join(home.dir, "mail.eml");
    const mail = [
      "From: Ann <ann@example.org>",
      "To: me@example.org",
      "Subject: The lighthouse keeper",
      "Date: Sat, 21 Nov 2026 10:00:00 +0100",
      "Message-ID: <1@example.org>",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "The lamp is lit at dusk.",
      "--b",
      'Content-Type: text/plain; name="log.txt"',
      'Content-Disposition: attachment; filename="log.txt"',
      "",
      "all quiet",
      "--b--",
      "",
    ].join("\r\n");
    writeFileSync(path, mail);
    const imported = await runHere(home, ["import", path, "--json"]);
    expect(imported.code).toBe(0);
    expect(JSON.parse(imported.stdout)).toMatchObject({ status: "stored" });
    const kept = await keysIn(prefix);
    expect(kept.map((key) => key.replace(/[^/]*$/, "")).toSorted()).toEqual([
      "mail/attachment/",
      "mail/raw/",
      // The message's text, and that of its attachment.
      "mail/text/",
      "mail/text/",
    ]);
    const client = await connectHere(home, "v2 pinned");
    const found = await client.call("search_emails", { query: "lighthouse" });
    expect(found.output).toMatchObject({ emails: [{ subject: "The lighthouse keeper" }] });
    const emails = z.array(z.object({ id: z.string() })).parse(found.output?.["emails"]);
    const read = await client.call("read_email", { emailId: emails[0]?.id });
    expect(read.output?.["content"]).toContain("The lamp is lit at dusk.");
  });

  it("reports what was not done when the store is unreachable", async (t) => {
    // The discard port, at which no program listens.
    const { home } = s3Home(t, { S3_ENDPOINT: "http://127.0.0.1:9" });
    const client = await connectHere(home, "v2 pinned");
    const written = await client.call("write_file", { key: "a.txt", content: "x" });
    expect(written.error).toMatchObject({
      kind: "unavailable",
      sideEffects: "none",
      retryable: true,
    });
  });

  it("refuses to start with overlapping prefixes", async (t) => {
    const { home } = s3Home(t, { S3_PREFIX: "a/", INGEST_BUCKET_PREFIX: "a/files/inbox" });
    const started = await runProgram(home, ["serve"]);
    expect(started.code).not.toBe(0);
    expect(started.stderr).toContain("INGEST_BUCKET_PREFIX overlaps with a/files/");
    expect(started.stdout).toBe("");
  });
});
