import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe } from "vitest";
import { openObjectStore } from "../../src/adapters/libsql/files/object-store.ts";
import { openS3ObjectStore } from "../../src/adapters/s3/object-store.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { hasS3, makeBucket, type TestBucket } from "../servers/s3-bucket.ts";
import { objectStoreContract } from "./objects.ts";

objectStoreContract("the fake", async () => createFakeObjects());

// One file for all: opening takes longer than any of these tests. Each begins with an empty store.
let directory: ReturnType<typeof makeDirectory>;
let embedded: ReturnType<typeof openObjectStore>;

beforeAll(() => {
  directory = makeDirectory();
  const url = pathToFileURL(join(directory.path, "objects.db")).href;
  embedded = openObjectStore({ url, log: quietLog });
});

afterAll(async () => {
  await embedded.close();
  directory.remove();
});

objectStoreContract("libSQL", async () => {
  const { objects } = await embedded.list({ prefix: "", limit: 1_000 });
  await Promise.all(objects.map(({ key }) => embedded.remove(key)));
  return embedded;
});

describe.skipIf(!hasS3())("with an S3 server", () => {
  let bucket: TestBucket;
  let stores = 0;
  beforeAll(async () => {
    bucket = await makeBucket();
  });

  // [store.contract]
  objectStoreContract("S3", async () => {
    stores += 1;
    return openS3ObjectStore({ ...bucket.settings, prefix: `store-${stores}/`, log: quietLog });
  });
});
