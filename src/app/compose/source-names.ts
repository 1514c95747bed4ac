import type { GivenSource } from "../../core/flow/ledger.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import type { Files } from "../../ports/files/files.ts";
import type { MailReader } from "../../ports/mail/mail-reader.ts";
import { moment } from "../../review/words.ts";

/** Returns a sender's name with the address, because only the address can be verified and anyone can choose a name. */
function senderName({ name, address }: { name?: string; address: string }): string {
  if (name === undefined || name === address) return shownName(address);
  return address === "" ? shownName(name) : `${shownName(name)} (${shownName(address)})`;
}

/** Names items for the person who decides. The names are read when they are needed, and are not stored. */
export function sourceNames({
  mail,
  files,
}: {
  mail: Pick<MailReader, "read">;
  files: Pick<Files, "stat">;
}): (source: GivenSource) => Promise<string> {
  async function mailName(emailId: string): Promise<string> {
    try {
      const { subject, from, date } = await mail.read(emailId, { offset: 0, length: 0 });
      return `the mail ${shownName(subject)} by ${senderName(from)}, ${moment(date)}`;
    } catch {
      // A deleted mail has no name. Its id is in the audit record.
      return `the mail ${emailId}`;
    }
  }

  async function fileName(key: string): Promise<string> {
    const name = `the file ${shownName(key)}`;
    const origin = await files.stat(key).then(
      (facts) => facts?.origin,
      () => undefined,
    );
    if (origin === undefined) return name;
    const [first, ...more] = origin.emailIds;
    if (first === undefined) return `${name}, which the assistant wrote`;
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    return `${name}, which the assistant wrote after reading ${await mailName(first)}${others}`;
  }

  return async ({ kind, id, verified }) => {
    switch (kind) {
      case "mail":
        return `${await mailName(id)}${verified ? " (sender verified)" : ""}`;
      case "attachment":
        return `an attachment of ${await mailName(id.split(" ")[0] ?? id)}`;
      case "file":
        return await fileName(id);
      case "event":
        return `the event ${id}`;
      case "reminder":
        return `the reminder ${id}`;
      case "web":
        return `the web page ${shownName(id)}`;
      case "upstream":
        return `a result of ${id}`;
    }
  };
}
