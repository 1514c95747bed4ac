import type { Log } from "../../core/shared/log.ts";
import { ifUnchanged, unmet } from "./conditions.ts";
import type { S3Connection } from "./connection.ts";
import { isBroken, isMissing, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";

/** What no object's ETag is. */
const impossibleEtag = '"countersign-asks-whether-conditions-count"';

type Signal = AbortSignal | undefined;

/** Removes objects, and finds out with the first conditional one whether the store knows conditions. */
export function createRemover(
  connection: S3Connection,
  log: Log,
): (place: ObjectLocation, ifMatch: string | undefined, signal: Signal) => Promise<boolean> {
  let knowsConditions: boolean | undefined;

  async function remove(
    { Bucket, Key }: ObjectLocation,
    IfMatch: string | undefined,
    signal: Signal,
  ) {
    const input = { Bucket, Key, ...(IfMatch !== undefined && { IfMatch }) };
    await connection.request({
      signal,
      attempt: ({ client, sdk, options }) =>
        client.send(new sdk.DeleteObjectCommand(input), options),
    });
  }

  /**
   * Asked with a condition that cannot hold, for an object that has just been seen to be the right one: a store that
   * knows conditions refuses, and one that does not has done what was wanted. No object is made only to ask.
   */
  async function removeAsking(
    place: ObjectLocation,
    signal: Signal,
  ): Promise<"removed" | "refused"> {
    try {
      await remove(place, impossibleEtag, signal);
    } catch (error) {
      if (error instanceof StoreFailure && isBroken(error)) {
        knowsConditions = true;
        return "refused";
      }
      if (!(error instanceof StoreFailure) || error.status !== 501) throw error;
      lacksConditions();
      return "refused";
    }
    lacksConditions();
    return "removed";
  }

  function lacksConditions(): void {
    knowsConditions = false;
    log.warn(
      "The object store deletes without conditions: a file is looked at, kept in undo/ and then deleted; what somebody else writes between the last two would be deleted with it.",
    );
  }

  return async (place, ifMatch, signal) => {
    const now = await headObject(connection, place, signal);
    if (now === undefined) return false;
    if (ifMatch !== undefined && now.facts.etag !== ifMatch) {
      throw unmet();
    }
    try {
      const mustAsk = ifMatch !== undefined && knowsConditions === undefined;
      if (mustAsk && (await removeAsking(place, signal)) === "removed") return true;
      if (ifMatch === undefined || knowsConditions !== true) await remove(place, undefined, signal);
      else {
        const send = (etag: string) => remove(place, etag, signal);
        await ifUnchanged(connection, place, { seen: now, signal }, send);
      }
      return true;
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      // Gone. After a lost answer it was most likely this very request that did it.
      if (isMissing(error)) return error.isOpen;
      if (!isBroken(error)) throw error;
      // As a store may answer for what is gone, too.
      const left = await headObject(connection, place, signal);
      if (left === undefined) return error.isOpen;
      throw unmet();
    }
  };
}
