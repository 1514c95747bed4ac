import type { Confirmation } from "../../ports/mail/mail-store.ts";
import type { Mime } from "../mime/read-mime.ts";
import { mailLimits } from "./limits.ts";

interface Provider {
  name: string;
  /** The sender of the request. Any sender can claim this address, so only the code and the link are shown. */
  from: RegExp;
  /** Matches the code in the subject or the text. The first group is the code. */
  code?: RegExp;
  /**
   * Matches the link of the request, which must be at the provider's own domain, so that a forged message cannot link
   * elsewhere.
   */
  link: RegExp;
}

/** Providers that send a confirmation request to a new forwarding address. Microsoft, iCloud and Fastmail do not. */
const providers: readonly Provider[] = [
  {
    name: "Gmail",
    from: /^forwarding-noreply@google\.com$/,
    // The subject begins with "(#123456789)" in every language. The text repeats the code.
    code: /\(#(\d{6,12})\)/,
    link: /https:\/\/(?:[a-z-]+\.)*google\.com\/mail\/[^\s<>"]{1,500}/,
  },
  {
    name: "Proton Mail",
    from: /^no-?reply@(?:[a-z-]+\.)?proton\.me$/,
    link: /https:\/\/(?:[a-z-]+\.)*proton\.me\/[^\s<>"]{0,200}forward[^\s<>"]{1,500}/i,
  },
  {
    name: "Zoho Mail",
    from: /^no-?reply@(?:[a-z-]+\.)?zoho(?:mail)?\.(?:com|eu|in)$/,
    code: /(?:verification|confirmation) code[^0-9]{1,40}(\d{5,10})/i,
    link: /https:\/\/(?:[a-z-]+\.)*zoho\.(?:com|eu|in)\/[^\s<>"]{0,200}forward[^\s<>"]{1,500}/i,
  },
  {
    name: "Yandex Mail",
    from: /^(?:noreply|mailer-daemon)@(?:[a-z-]+\.)?yandex\.(?:ru|com)$/,
    link: /https:\/\/(?:[a-z-]+\.)*yandex\.(?:ru|com)\/[^\s<>"]{0,200}confirm[^\s<>"]{1,500}/i,
  },
];

/**
 * Finds the provider's forwarding confirmation in a message.
 * @param shown the address in the From header, in lower case, and the decoded subject
 */
export async function confirmationIn(
  message: Uint8Array,
  { from, subject }: { from: string; subject: string },
): Promise<Confirmation | undefined> {
  const provider = providers.find((one) => one.from.test(from));
  if (provider === undefined || message.length > mailLimits.confirmationBytes) return undefined;
  // Imported late: only such messages are read in this thread.
  const { readMime } = await import("../mime/read-mime.ts");
  let mail: Mime;
  try {
    mail = readMime(message);
  } catch {
    // The message has parts in parts, deeper than those of a provider.
    return undefined;
  }
  const words = `${subject}\n${mail.text ?? ""}\n${(mail.html ?? "").replaceAll("&amp;", "&")}`;
  const code = provider.code?.exec(words)?.[1];
  const link = provider.link.exec(words)?.[0].replace(/[.,)]+$/, "");
  if (code === undefined && link === undefined) return undefined;
  return {
    provider: provider.name,
    ...(code !== undefined && { code }),
    ...(link !== undefined && { link }),
  };
}
