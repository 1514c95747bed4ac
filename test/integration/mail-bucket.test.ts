import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { bucketPlace } from "../../src/intake/bucket.ts";
import { startFetching } from "../../src/intake/fetch.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { runCommandHere, s3Environment } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";

const soon = { timeout: 40_000, interval: 100 };
const mail = (subject: string): string =>
  `From: ann@example.org\r\nSubject: ${subject}\r\n\r\n${subject}\r\n`;

describe.skipIf(!hasS3())("mail from a prefix of the bucket", () => {
  async function putAt(client: S3Client, bucket: string, key: string, body: string) {
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.from(body) }));
  }

  it(
    "is imported once by several processes and then removed, and rejected if too large [mail.bucket]",
    { timeout: 120_000 },
    async () => {
      const { client, settings } = await makeBucket();
      const put = (key: string, body: string) => putAt(client, settings.bucket, key, body);
      const keys = async (prefix: string): Promise<string[]> => {
        const list = await client.send(
          new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: prefix }),
        );
        return (list.Contents ?? []).map(({ Key = "" }) => Key);
      };
      const names = Array.from({ length: 20 }, (_, index) => `message ${index}`);
      for (const [index, name] of names.entries()) await put(`incoming/${index}.eml`, mail(name));
      await put("incoming/giant.eml", mail("giant") + "x".repeat(80_000));
      await put("incoming/", "");
      await put("elsewhere/1.eml", mail("not ours"));
      const env = {
        ...s3Environment(settings),
        S3_PREFIX: "home/",
        INGEST_BUCKET_PREFIX: "incoming",
        INGEST_MAX_BYTES: "70000",
      };
      const { dataDir, stores, start } = openIngestWorld(env);
      await start();
      await start();
      const subjects = async (): Promise<string[]> => {
        const { hits } = await stores.mail.search({ limit: 50 });
        return hits.map(({ subject }) => subject).toSorted();
      };
      await expect.poll(subjects, soon).toEqual(names.toSorted());
      await expect
        .poll(() => keys("incoming/"), soon)
        .toEqual(["incoming/", "incoming/rejected/giant.eml"]);
      await put("incoming/later.eml", mail("later"));
      await expect.poll(subjects, soon).toContain("later");
      const sql = "SELECT count(*) AS times FROM mail_receipts GROUP BY email_id";
      const { rows } = await stores.database.read({ sql, args: [] });
      expect(rows.map((row) => row["times"])).toEqual(Array(21).fill(1));
      expect(await keys("elsewhere/")).toEqual(["elsewhere/1.eml"]);
      const giant = await client.send(
        new GetObjectCommand({ Bucket: settings.bucket, Key: "incoming/rejected/giant.eml" }),
      );
      expect(await giant.Body?.transformToString()).toContain("Subject: giant");
      const failed = (await runCommandHere(dataDir, ["mail", "failed"], env)).stdout;
      expect(failed).toMatch(/rejected {2}ann@example\.org: giant$/m);
      expect(failed).toContain(
        "  is in     rejected/giant.eml, received by incoming/ in the bucket ",
      );
    },
  );
});

it("a message of a bucket that is replaced during the import is imported in its new form too", async () => {
  const objects = createFakeObjects();
  const put = (body: string) =>
    objects.put("one.eml", Buffer.from(body), { mediaType: "message/rfc822" });
  await put("first");
  const kept: string[] = [];
  let emptied = (): void => undefined;
  const isEmptied = new Promise<void>((resolve) => (emptied = resolve));
  const fetching = startFetching({
    place: bucketPlace(objects, "the bucket", (signal) => {
      emptied();
      return new Promise((resolve) => signal.addEventListener("abort", resolve));
    }),
    maxBytes: 100,
    keep: async (message) => {
      kept.push(Buffer.from(message).toString());
      if (kept.length === 1) await put("second");
    },
    reject: () => Promise.reject(new Error("nothing is too large")),
    log: quietLog,
  });
  await isEmptied;
  await fetching.close();
  expect(kept).toEqual(["first", "second"]);
  expect((await objects.list({ prefix: "", limit: 10 })).objects).toEqual([]);
});
