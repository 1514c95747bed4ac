import { randomBytes } from "node:crypto";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { Secret } from "../../src/core/shared/secret.ts";
import type { S3Server } from "./ceph-rgw.ts";

/** Whether a test can have a bucket. The setup has printed a notice if not. */
export const hasS3 = (): boolean => inject("s3Url") !== "";

export interface TestBucket {
  server: S3Server;
  /** The settings of the adapter. */
  settings: {
    bucket: string;
    endpoint: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: Secret;
    forcePathStyle: boolean;
  };
  /** The SDK itself, for changes of the bucket by another program. */
  client: S3Client;
}

/** Creates a bucket for one test. */
export async function makeBucket(): Promise<TestBucket> {
  const answer = await fetch(inject("s3Url"));
  if (!answer.ok) throw new Error(await answer.text());
  const server = (await answer.json()) as S3Server;
  const bucket = `countersign-${randomBytes(6).toString("hex")}`;
  const region = "us-east-1";
  const client = new S3Client({
    endpoint: server.endpoint,
    region,
    forcePathStyle: true,
    credentials: server,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const { endpoint, accessKeyId } = server;
  const secretAccessKey = new Secret(server.secretAccessKey);
  return {
    server,
    settings: { bucket, endpoint, region, accessKeyId, secretAccessKey, forcePathStyle: true },
    client,
  };
}
