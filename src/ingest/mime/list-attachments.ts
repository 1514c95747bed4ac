import { createHash } from "node:crypto";
import { oneLine } from "../../core/shared/text/clean-text.ts";
import { base32, sha256Hex } from "../../core/shared/digest.ts";
import type { StoredAttachment } from "../../ports/mail/mail-store.ts";
import { mailLimits } from "../pipeline/limits.ts";
import type { MimePart } from "./read-mime.ts";

export interface ParsedAttachment extends Omit<StoredAttachment, "text"> {
  /** The declared character set of an attached text. */
  charset?: string;
  content: Uint8Array;
}

export function listAttachments(parts: readonly MimePart[]): ParsedAttachment[] {
  const seen = new Map<string, number>();
  return parts.slice(0, mailLimits.attachments).map((part) => {
    const { charset } = part;
    const content = part.content();
    const sha256 = sha256Hex(content);
    const name = fileName(part);
    // The id is computed from content and name, not position, because a better parser may find another part before this
    // one.
    const identity = `${sha256}\0${name ?? ""}`;
    const copies = seen.get(identity) ?? 0;
    seen.set(identity, copies + 1);
    const digest = createHash("sha256").update(`${identity}\0${copies}`).digest();
    return {
      attachmentId: `at_${base32(digest).slice(0, 26)}`,
      ...(name !== undefined && { name }),
      mediaType: mediaTypeOf(part.mimeType),
      bytes: content.length,
      sha256,
      inline: isInline(part),
      ...(charset !== undefined && { charset }),
      content,
    };
  });
}

function fileName({ name, mimeType, description }: MimePart): string | undefined {
  // Some senders write a whole path.
  const given = oneLine((name ?? "").replace(/^.*[\\/]/s, ""), mailLimits.fileNameCharacters);
  if (given !== "") return given;
  const described = oneLine(description ?? "", mailLimits.fileNameCharacters);
  return mimeType === "message/rfc822" && described !== "" ? described : undefined;
}

function mediaTypeOf(value: string): string {
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(value) ? value : "application/octet-stream";
}

/**
 * Returns whether a part belongs to the body of the message. Apple Mail marks attached documents as `inline`, and other
 * programs do not mark them. A named file that is not a picture is therefore an attachment.
 */
function isInline({ disposition, mimeType, name, isRelated, contentId }: MimePart): boolean {
  if (disposition === "attachment") return isRelated && mimeType.startsWith("image/");
  if (name === undefined || isRelated || !mimeType.includes("/")) return true;
  if (/^application\/(?:x-)?(?:pkcs7|pgp)-|^(?:image|message)\//.test(mimeType)) return true;
  return contentId !== undefined && mimeType.startsWith("text/");
}
