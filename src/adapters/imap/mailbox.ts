import type { FetchMessageObject, ImapFlow } from "imapflow";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { MailPlace, MailSource, WaitingMail } from "../../ports/mail/mail-source.ts";
import { connect, type ImapSettings } from "./connect.ts";
import { imapError } from "./errors.ts";

/** Messages per listing. */
const batch = 100;
/** A message is fetched in pieces, so that no buffer has to hold more than one piece besides the message itself. */
const pieceBytes = 512 * 1024;
/** How often the junk folder is checked. The mailbox itself announces new mail. Milliseconds. */
const junkCheckMs = 60_000;

interface ImapMail extends WaitingMail {
  folder: string;
  uidValidity: bigint;
  uid: number;
}

interface Folders {
  /** Folders with waiting mail. The last one is watched for announcements. */
  incoming: readonly string[];
  processed: string;
  rejected: string;
}

/** Opens the mailbox of an IMAP account and its junk folder. */
export function imapMailbox(
  settings: ImapSettings & { maxBytes: number },
): MailPlace<ImapMail> & { check(): Promise<void> } {
  const literalBytes = settings.maxBytes + pieceBytes;
  const open = async (signal?: AbortSignal): Promise<ImapFlow> =>
    await withImapErrors(connect(settings, literalBytes, signal));
  return {
    intake: "imap",
    name: `${settings.mailbox} of ${settings.username} at ${settings.host}`,
    open: async (signal) => {
      const client = await open(signal);
      try {
        return createSource(client, await withImapErrors(foldersOf(client, settings.mailbox)));
      } catch (error) {
        client.close();
        throw error;
      }
    },
    check: async () => {
      const client = await open();
      try {
        await withImapErrors(client.mailboxOpen(settings.mailbox, { readOnly: true }));
      } finally {
        client.close();
      }
    },
  };
}

async function withImapErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw imapError(error);
  }
}

async function foldersOf(client: ImapFlow, mailbox: string): Promise<Folders> {
  const listed = await client.list();
  const junk = listed.find(({ specialUse }) => specialUse === "\\Junk")?.path;
  const made = async (name: string): Promise<string> => {
    const there = listed.find((one) => one.name === name && one.parent.at(-1) === "Countersign");
    return (there ?? (await client.mailboxCreate(["Countersign", name]))).path;
  };
  return {
    incoming: junk === undefined || junk === mailbox ? [mailbox] : [junk, mailbox],
    processed: await made("Processed"),
    rejected: await made("Rejected"),
  };
}

function createSource(client: ImapFlow, folders: Folders): MailSource<ImapMail> {
  const { incoming, processed, rejected } = folders;
  let hasNews = false;
  let wake = (): void => undefined;
  client.on("exists", ({ count, prevCount }) => {
    hasNews ||= count > prevCount;
    if (hasNews) wake();
  });
  client.on("close", () => wake());

  async function select(folder: string): Promise<bigint> {
    const { mailbox } = client;
    const open = mailbox !== false && mailbox.path === folder;
    return (open ? mailbox : await client.mailboxOpen(folder)).uidValidity;
  }

  /**
   * Returns false if the folder was recreated, because its UIDs then belong to other messages (UIDVALIDITY, RFC 9051,
   * section 2.3.1.1).
   */
  async function isThere({ folder, uidValidity }: ImapMail): Promise<boolean> {
    return (await select(folder)) === uidValidity;
  }

  async function listed(folder: string, except: ReadonlySet<string>): Promise<ImapMail[]> {
    const uidValidity = await select(folder);
    hasNews = false;
    const uids = await client.search({ deleted: false }, { uid: true });
    if (!Array.isArray(uids)) throw new Error("the search was refused");
    const idOf = (uid: number): string => `${folder}/${uidValidity}/${uid}`;
    const wanted = uids.filter((uid) => !except.has(idOf(uid))).slice(0, batch);
    if (wanted.length === 0) return [];
    const found = await client.fetchAll(wanted.join(","), { size: true }, { uid: true });
    return found.map(({ uid, size = 0 }) => ({
      id: idOf(uid),
      bytes: size,
      place: `${folder} ${uid}`,
      folder,
      uidValidity,
      uid,
    }));
  }

  async function move(mail: ImapMail, flag: string, folder: string): Promise<void> {
    if (!(await isThere(mail))) return;
    await client.messageFlagsAdd(String(mail.uid), [flag], { uid: true });
    const moved = await client.messageMove(String(mail.uid), folder, { uid: true });
    if (moved) return;
    throw new ToolError("unavailable", `The IMAP server did not move the message to ${folder}.`, {
      hint: "Check whether the account has space left and whether the folder exists.",
    });
  }

  return {
    waiting: (except) =>
      withImapErrors(
        (async () => {
          for (const folder of incoming) {
            const mails = await listed(folder, except);
            if (mails.length > 0) return mails;
          }
          return [];
        })(),
      ),
    read: (mail, maxBytes) =>
      withImapErrors(
        (async () => ((await isThere(mail)) ? await wholeOf(client, mail, maxBytes) : undefined))(),
      ),
    beginning: (mail, maxLength) =>
      withImapErrors(
        (async () => {
          if (!(await isThere(mail))) return undefined;
          const source = { start: 0, maxLength };
          const part = await client.fetchOne(String(mail.uid), { source }, { uid: true });
          return part === false ? undefined : (part.source ?? Buffer.alloc(0));
        })(),
      ),
    markProcessed: (mail) => withImapErrors(move(mail, "\\Seen", processed)),
    rejectFolder: () => rejected,
    reject: (mail) => withImapErrors(move(mail, "\\Flagged", rejected)),
    changed: async (signal) => {
      if (signal.aborted || hasNews) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, junkCheckMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener("abort", wake, { once: true });
        // IDLE ends with the next command. If it fails, the next command fails too, so the error is ignored here.
        client.idle().catch(() => undefined);
      });
      signal.removeEventListener("abort", wake);
    },
    close: () => {
      client.close();
      return Promise.resolve();
    },
  };
}

/**
 * Fetches a whole message. Returns undefined if it no longer exists. It reads up to an empty response, because reported
 * sizes may be wrong.
 */
async function wholeOf(
  client: ImapFlow,
  { uid, bytes: reported }: ImapMail,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const source = { start: bytes, maxLength: pieceBytes };
    const part: FetchMessageObject | false = await client.fetchOne(
      String(uid),
      { source },
      { uid: true },
    );
    if (part === false) return undefined;
    const piece = part.source ?? Buffer.alloc(0);
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new ToolError("too_large", "The message is larger than allowed. It was not fetched.");
    pieces.push(piece);
    // A longer piece than requested is the whole message, because some servers ignore ranges.
    const isLast = piece.length !== pieceBytes && bytes >= reported;
    if (piece.length === 0 || piece.length > pieceBytes || isLast)
      return Buffer.concat(pieces, bytes);
  }
}
