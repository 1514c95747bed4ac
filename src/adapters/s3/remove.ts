import type { Log } from "../../core/shared/log.ts";
import { ifUnchanged, unmet } from "./conditions.ts";
import type { S3Connection } from "./connection.ts";
import { isBroken, isMissing, StoreFailure } from "./errors.ts";
import { headObject, type ObjectLocation } from "./read.ts";

/** A value that no object's ETag has. */
const impossibleEtag = '"countersign-asks-whether-conditions-count"';

type Signal = AbortSignal | undefined;

/** Creates the remover. The first conditional deletion finds out whether the store supports conditions. */
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
   * Deletes an object whose version was just checked, with a condition that is always false. A store that supports
   * conditions refuses. A store that ignores conditions deletes the object, which was requested anyway.
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
      "The object store deletes without conditions. A file is checked, copied to undo/ and then deleted. A write by another program in between would be deleted with it.",
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
      // The object is gone. After a lost response this request most likely deleted it.
      if (isMissing(error)) return error.isOpen;
      if (!isBroken(error)) throw error;
      // A store may give the same response for a missing object.
      const left = await headObject(connection, place, signal);
      if (left === undefined) return error.isOpen;
      throw unmet();
    }
  };
}
