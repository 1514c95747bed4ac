import { createHash } from "node:crypto";
import { randomId } from "../../core/shared/digest.ts";
import type { ObjectFacts } from "../../ports/files/objects.ts";

/** What we write beside the bytes, as user metadata of the object. */
const versionField = "countersign-version";
const sha256Field = "countersign-sha256";

export interface Stored {
  facts: ObjectFacts;
  /** The store's own ETag, quotes and all: what its conditions compare. */
  storeEtag: string;
  /** Of the whole object. Undefined where something else wrote it. */
  sha256: string | undefined;
}

/** The parts of the answers to HEAD and GET that matter here. */
interface Answer {
  ETag?: string | undefined;
  ContentLength?: number | undefined;
  ContentRange?: string | undefined;
  ContentType?: string | undefined;
  LastModified?: Date | undefined;
  Metadata?: Record<string, string> | undefined;
}

/** Names one write. It lets us tell our own write from somebody else's when an answer was lost. */
export function newVersion(): string {
  return randomId("w");
}

export function metadataOf(version: string, sha256: string | undefined): Record<string, string> {
  return { [versionField]: version, ...(sha256 !== undefined && { [sha256Field]: sha256 }) };
}

export function sha256Of(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/**
 * The port's etag. S3's ETag is a digest of the bytes, the same for every write of the same bytes, so our version of the
 * write is added; for an object that something else wrote, its time.
 */
export function etagOf(storeEtag: string, version: string): string {
  return `${storeEtag.replaceAll('"', "")}.${version}`;
}

export function storedOf(key: string, answer: Answer): Stored {
  const { ETag: storeEtag = "", LastModified, Metadata = {} } = answer;
  const modifiedAt = toSeconds(LastModified ?? new Date(0));
  const total = /\/(\d+)$/.exec(answer.ContentRange ?? "")?.[1];
  const version = Metadata[versionField] ?? `t${modifiedAt.getTime() / 1000}`;
  return {
    facts: {
      key,
      bytes: total === undefined ? (answer.ContentLength ?? 0) : Number(total),
      etag: etagOf(storeEtag, version),
      mediaType: answer.ContentType ?? "application/octet-stream",
      modifiedAt,
    },
    storeEtag,
    sha256: Metadata[sha256Field],
  };
}

export function isVersion(stored: Stored | undefined, version: string): boolean {
  return stored?.facts.etag.endsWith(`.${version}`) ?? false;
}

/** HEAD tells whole seconds, lists and copies more: one object must not have two times. */
export function toSeconds(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1000) * 1000);
}

/** A stranger's media type may hold what no HTTP header can. */
export function headerValue(mediaType: string): string {
  return /^[\x20-\x7e]+$/.test(mediaType) ? mediaType : "application/octet-stream";
}
