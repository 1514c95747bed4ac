import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { hasS3, makeBucket, type TestBucket } from "../servers/s3-bucket.ts";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

describe.skipIf(!hasS3())("the built server over S3", () => {
  let bucket: TestBucket;
  beforeAll(async () => {
    bucket = await makeBucket();
  });

  function makeHome(other: Record<string, string> = {}) {
    const dir = mkdtempSync(join(tmpdir(), "countersign-s3-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const prefix = `${dir.slice(-6)}/`;
    const { server, settings } = bucket;
    const env = {
      PATH: process.env["PATH"] ?? "",
      COUNTERSIGN_DATA_DIR: dir,
      S3_BUCKET: settings.bucket,
      S3_ENDPOINT: settings.endpoint,
      S3_ACCESS_KEY_ID: server.accessKeyId,
      S3_SECRET_ACCESS_KEY: server.secretAccessKey,
      S3_PREFIX: prefix,
      ...other,
    };
    return { dir, prefix, env };
  }

  /** An official client whose person approves whatever is asked. */
  async function connect(env: Record<string, string>) {
    const client = new Client(
      { name: "s3-test", version: "1" },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", async () => ({
      action: "accept" as const,
      content: { decision: "approve" },
    }));
    const args = [program, "serve"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
    );
    onTestFinished(() => client.close());
    return async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join();
      const data = z.looseObject({}).parse(result.structuredContent ?? {});
      return { isError: result.isError === true, text, data, meta: result._meta };
    };
  }

  async function keysIn(prefix: string): Promise<string[]> {
    const { bucket: Bucket } = bucket.settings;
    const page = await bucket.client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    return (page.Contents ?? []).map(({ Key = "" }) => Key.slice(prefix.length));
  }

  it("keeps files in the bucket, replaces and deletes them with an undo copy", async () => {
    const { dir, prefix, env } = makeHome();
    const call = await connect(env);
    const key = "notes/plan.md";
    const first = await call("write_file", { key, content: "# Plan", mediaType: "text/markdown" });
    expect(first.data).toMatchObject({ key, bytes: 6, created: true });
    expect(await keysIn(prefix)).toEqual([`files/${key}`]);
    const read = await call("read_file", { key });
    expect(read.data).toMatchObject({ content: "# Plan", mediaType: "text/markdown" });
    expect(read.data["etag"]).toBe(first.data["etag"]);
    expect((await call("list_files", {})).data).toMatchObject({ files: [{ key, bytes: 6 }] });

    const ifMatch = first.data["etag"];
    const second = await call("write_file", { key, content: "# Plan B", ifMatch });
    expect(second.data).toMatchObject({ created: false });
    const stale = await call("write_file", { key, content: "# Plan C", ifMatch });
    expect(stale).toMatchObject({ isError: true });
    expect(stale.text).toContain("Nothing was written");
    const undo = (keys: string[]) => keys.filter((kept) => kept.startsWith("undo/"));
    expect(undo(await keysIn(prefix))).toHaveLength(1);

    const deleted = await call("delete_file", { key });
    expect(deleted.data).toMatchObject({ key, deleted: true });
    const left = await keysIn(prefix);
    expect(left).toHaveLength(2);
    expect(undo(left)).toHaveLength(2);
    expect((await call("read_file", { key })).text).toContain("There is no file");
    expect(existsSync(join(dir, "objects.db"))).toBe(false);
  });

  it("keeps imported mail in the bucket, where it is found and read", async () => {
    const { dir, prefix, env } = makeHome();
    const path = join(dir, "mail.eml");
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
    const imported = spawnSync(process.execPath, [program, "import", path, "--json"], {
      encoding: "utf8",
      env,
      timeout: 50_000,
    });
    expect(imported.stderr).not.toContain("error");
    expect(JSON.parse(imported.stdout)).toMatchObject({ status: "stored" });
    const kept = await keysIn(prefix);
    expect(kept.map((key) => key.replace(/[^/]*$/, "")).toSorted()).toEqual([
      "mail/attachment/",
      "mail/raw/",
      "mail/text/",
    ]);
    const call = await connect(env);
    const found = await call("search_emails", { query: "lighthouse" });
    expect(found.data).toMatchObject({ emails: [{ subject: "The lighthouse keeper" }] });
    const emails = z.array(z.object({ id: z.string() })).parse(found.data["emails"]);
    const read = await call("read_email", { emailId: emails[0]?.id });
    expect(read.data["content"]).toContain("The lamp is lit at dusk.");
  });

  it("says what it did not do when the store cannot be reached", async () => {
    const { env } = makeHome({ S3_ENDPOINT: "http://127.0.0.1:9" });
    const call = await connect(env);
    const written = await call("write_file", { key: "a.txt", content: "x" });
    expect(written.isError).toBe(true);
    expect(written.meta?.["dev.countersign/error"]).toMatchObject({
      kind: "unavailable",
      sideEffects: "none",
      retryable: true,
    });
  });

  it("refuses to start where prefixes overlap", () => {
    const { env } = makeHome({ S3_PREFIX: "a/", INGEST_BUCKET_PREFIX: "a/files/inbox" });
    const started = spawnSync(process.execPath, [program, "serve"], { encoding: "utf8", env });
    expect(started.status).not.toBe(0);
    expect(started.stderr).toContain("INGEST_BUCKET_PREFIX overlaps with a/files/");
    expect(started.stdout).toBe("");
  });
});
