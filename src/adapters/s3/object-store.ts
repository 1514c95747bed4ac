import type { Log } from "../../core/shared/log.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { createConnection, type S3Settings } from "./connection.ts";
import { copyObject } from "./copy.ts";
import { storeError, StoreFailure } from "./errors.ts";
import { checkBucket, listObjects } from "./list.ts";
import { getObject, headObject, type ObjectLocation } from "./read.ts";
import { createRemover } from "./remove.ts";
import { putObject } from "./write.ts";

/**
 * Opens the object store over S3 or a compatible service. The first operation loads the SDK and connects.
 * @param options `prefix` is empty or ends with a slash. It precedes every key and is not visible outside.
 */
export function openS3ObjectStore(
  options: S3Settings & { prefix: string; log: Log },
): ObjectStore & { close(): Promise<void> } {
  const { bucket: Bucket, prefix, log } = options;
  const connection = createConnection(options);
  const remove = createRemover(connection, log);
  const place = (key: string): ObjectLocation => ({ Bucket, Key: prefix + key, key });

  /** Converts failures to errors, the only place to do so. */
  async function answer<T>(acts: boolean, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const reported = storeError(error, Bucket, acts);
      log.debug("The object store failed", { failure: error.message, cause: error });
      throw reported;
    }
  }

  return {
    put: (key, body, { mediaType, origin, when, signal }) =>
      answer(
        true,
        putObject(connection, { place: place(key), body, mediaType, origin, when, signal }),
      ),

    head: (key, { signal } = {}) =>
      answer(
        false,
        headObject(connection, place(key), signal).then((stored) => stored?.facts),
      ),

    get: (key, { offset = 0, length = Infinity, signal } = {}) =>
      answer(false, getObject(connection, place(key), { offset, length, signal })),

    list: ({ prefix: below, after, limit, signal }) =>
      answer(
        false,
        listObjects(connection, {
          bucket: Bucket,
          root: prefix,
          prefix: below,
          after,
          limit,
          signal,
        }),
      ),

    remove: (key, { when, signal } = {}) => answer(true, remove(place(key), when?.etag, signal)),

    emptyLog: async () => undefined,

    copy: (from, to, { when, signal } = {}) =>
      answer(
        true,
        copyObject(connection, { from: place(from), to: place(to), ifMatch: when?.etag, signal }),
      ),

    check: () => answer(false, checkBucket(connection, Bucket, prefix)),

    close: async () => connection.close(),
  };
}
