import { createHash } from "node:crypto";
import { randomId } from "../../core/shared/digest.ts";
import { type ObjectFacts, type ObjectOrigin, mostOriginIds } from "../../ports/files/objects.ts";

/** Our user metadata of an object. */
const versionField = "countersign-version";
const sha256Field = "countersign-sha256";
const writtenByField = "countersign-written-by";
const emailIdsField = "countersign-email-ids";

export interface Stored {
  facts: ObjectFacts;
  /** The store's own ETag with its quotes, which its conditions compare. */
  storeEtag: string;
  /** The digest of the whole object. Undefined if another program wrote it. */
  sha256: string | undefined;
}

/** The fields of HEAD and GET responses that are used here. */
interface Answer {
  ETag?: string | undefined;
  ContentLength?: number | undefined;
  ContentRange?: string | undefined;
  ContentType?: string | undefined;
  LastModified?: Date | undefined;
  Metadata?: Record<string, string> | undefined;
}

/** Returns the id of one write. After a lost response it identifies our own write. */
export function newVersion(): string {
  return randomId("w");
}

export function metadataOf(
  version: string,
  { sha256, origin }: { sha256: string | undefined; origin: ObjectOrigin | undefined },
): Record<string, string> {
  return {
    [versionField]: version,
    ...(sha256 !== undefined && { [sha256Field]: sha256 }),
    ...(origin !== undefined && {
      [writtenByField]: origin.writtenBy,
      [emailIdsField]: origin.emailIds.slice(0, mostOriginIds).join(" "),
    }),
  };
}

function originOf(metadata: Record<string, string>): ObjectOrigin | undefined {
  if (metadata[writtenByField] !== "assistant") return undefined;
  const emailIds = (metadata[emailIdsField] ?? "").split(" ").filter((id) => id !== "");
  return { writtenBy: "assistant", emailIds };
}

export function sha256Of(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * Returns the port's etag. S3's ETag is a digest, equal for every write of the same bytes, so our version is added. For
 * an object of another program the time is added.
 */
export function etagOf(storeEtag: string, version: string): string {
  return `${storeEtag.replaceAll('"', "")}.${version}`;
}

export function storedOf(key: string, answer: Answer): Stored {
  const { ETag: storeEtag = "", LastModified, Metadata = {} } = answer;
  const modifiedAt = toSeconds(LastModified ?? new Date(0));
  const total = /\/(\d+)$/.exec(answer.ContentRange ?? "")?.[1];
  const origin = originOf(Metadata);
  const version = Metadata[versionField] ?? `t${modifiedAt.getTime() / 1000}`;
  return {
    facts: {
      key,
      bytes: total === undefined ? (answer.ContentLength ?? 0) : Number(total),
      etag: etagOf(storeEtag, version),
      mediaType: answer.ContentType ?? "application/octet-stream",
      modifiedAt,
      ...(origin && { origin }),
    },
    storeEtag,
    sha256: Metadata[sha256Field],
  };
}

export function isVersion(stored: Stored | undefined, version: string): boolean {
  return stored?.facts.etag.endsWith(`.${version}`) ?? false;
}

/**
 * Rounds to seconds, so that an object has one time: HEAD returns whole seconds, and lists and copies return fractions.
 */
export function toSeconds(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000);
}

/** Returns a media type that is a valid header value. Anyone may declare any text. */
export function headerValue(mediaType: string): string {
  return /^[\x20-\x7e]+$/.test(mediaType) ? mediaType : "application/octet-stream";
}
