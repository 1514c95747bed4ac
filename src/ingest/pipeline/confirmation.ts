import PostalMime from "postal-mime";
import type { Confirmation } from "../../ports/mail/mail-store.ts";
import { mailLimits } from "./limits.ts";

interface Provider {
  name: string;
  /** Who sends the question. Anybody can claim to be that, so what is shown of it is narrow. */
  from: RegExp;
  /** Told by the subject or the text; its first group is the code. */
  code?: RegExp;
  /** The question's link: only at the provider's own domain, so that a forged one leads nowhere else. */
  link: RegExp;
}

/** Who asks a new forwarding address for its consent. Microsoft, iCloud and Fastmail do not ask the address. */
const providers: readonly Provider[] = [
  {
    name: "Gmail",
    from: /^forwarding-noreply@google\.com$/,
    // The subject begins "(#123456789)" in every language; the text names the code again.
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

/** The provider's question in this message, where it is one. `from`: the address of its From header, in lower case. */
export async function confirmationIn(
  message: Uint8Array,
  from: string,
): Promise<Confirmation | undefined> {
  const provider = providers.find((one) => one.from.test(from));
  if (provider === undefined || message.length > mailLimits.confirmationBytes) return undefined;
  const mail = await PostalMime.parse(message).catch(() => undefined);
  if (mail === undefined) return undefined;
  const words = `${mail.subject ?? ""}\n${mail.text ?? ""}\n${(mail.html ?? "").replaceAll("&amp;", "&")}`;
  const code = provider.code?.exec(words)?.[1];
  const link = provider.link.exec(words)?.[0].replace(/[.,)]+$/, "");
  if (code === undefined && link === undefined) return undefined;
  return {
    provider: provider.name,
    ...(code !== undefined && { code }),
    ...(link !== undefined && { link }),
  };
}
