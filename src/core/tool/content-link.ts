import type { ContentPage } from "../shared/page.ts";
import type { ContentLink } from "./tool.ts";

/**
 * Types that a client program may handle without asking. Any other type is free text of the sender and may contain
 * instructions.
 */
const knownTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|bmp|tiff|heic)|audio\/(?:mpeg|mp4|ogg|wav|flac)|video\/(?:mp4|webm|quicktime|mpeg)|application\/(?:pdf|zip|gzip|msword))$/;

/**
 * Returns whether a media type is a known one, which cannot carry a message: a type above or a common text type, with
 * no parameter except a charset.
 */
export function isKnownType(mediaType: string): boolean {
  const [type = "", charset] = mediaType.toLowerCase().split(/\s*;\s*charset=/);
  const isText =
    /^(?:text\/(?:plain|markdown|html|css|csv|xml|calendar|vcard|rtf|tab-separated-values|javascript|x-python)|application\/(?:json|xml|yaml|toml|sql|javascript|rtf|octet-stream)|message\/rfc822)$/;
  const isCharset =
    charset === undefined || /^"?(?:utf-8|us-ascii|iso-8859-\d{1,2})"?$/.test(charset);
  return (isText.test(type) || knownTypes.test(type)) && isCharset;
}

/** Returns the link to the whole content if a base64 page shows only part of it. */
export function contentLink(
  { encoding, totalBytes, bytes }: ContentPage,
  link: Omit<ContentLink, "bytes">,
): { link?: ContentLink } {
  if (encoding !== "base64" || bytes === totalBytes) return {};
  const mediaType = knownTypes.test(link.mediaType) ? link.mediaType : "application/octet-stream";
  return { link: { ...link, mediaType, bytes: totalBytes } };
}

const prefix = "countersign://";

export function attachmentUri(emailId: string, attachmentId: string): string {
  return `${prefix}mail/${emailId}/${attachmentId}`;
}

export function fileUri(key: string): string {
  return `${prefix}files/${key}`;
}

/** URI templates of these links, for clients that build their own. */
export const contentTemplates = [
  {
    tool: "read_attachment",
    uriTemplate: `${prefix}mail/{emailId}/{attachmentId}{?offset}`,
    title: "A page of an attachment",
  },
  {
    tool: "read_file",
    uriTemplate: `${prefix}files/{+key}{?offset}`,
    title: "A page of a stored file",
  },
] as const;

/** Returns the call that reads such a link, or undefined for other addresses. */
export function callOf(
  uri: string,
): { name: string; arguments: Readonly<Record<string, unknown>> } | undefined {
  const [, path = "", from] =
    /^countersign:\/\/([^?#]{1,600})(?:\?offset=(\d{1,12}))?$/.exec(uri) ?? [];
  const offset = Number(from ?? 0);
  const [, emailId, attachmentId] = /^mail\/([\w-]{1,40})\/([\w-]{1,40})$/.exec(path) ?? [];
  if (emailId !== undefined)
    return { name: "read_attachment", arguments: { emailId, attachmentId, offset } };
  const key = /^files\/(.+)$/.exec(path)?.[1];
  return key === undefined ? undefined : { name: "read_file", arguments: { key, offset } };
}
