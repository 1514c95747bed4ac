import { createMailAdmin } from "../../adapters/libsql/mail/mail-admin.ts";
import { createRejectionNotes } from "../../adapters/libsql/mail/rejection-notes.ts";
import type { Config } from "../../config.ts";
import type { AuditRecord } from "../../core/audit/audit.ts";
import { visible } from "../../core/shared/text/visible.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { deleteMail } from "../../ingest/pipeline/delete-mail.ts";
import { firstStep } from "../../ingest/pipeline/steps.ts";
import type { AdminMail, MailAdmin, AdminRejectedMail } from "../../ports/mail/mail-admin.ts";
import {
  attachmentToJson,
  mailToJson,
  formatMail,
  summarizeMail,
} from "../../channels/mail-lines.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { count, envFile, flag, json, optional, required } from "../command-line/options.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { withStores } from "../compose/with-stores.ts";
import { audited } from "../mail/audited.ts";
import { readableMail } from "../mail/readable-mail.ts";
import { printLines } from "../platform/print-lines.ts";
import { userName } from "../platform/this-user.ts";

/** Default and largest number of messages. A person reads no more. */
const limits = { initial: 100, most: 10_000 };

const listing = { limit: count(limits, "messages listed"), json, envFile };
const one = { emailId: required("ID") };

export const command = defineCommand({
  about: "Shows and manages received mail. No tool sees mail in quarantine until you release it.",
  initial: "list",
  forms: [
    form({
      name: "list",
      help: "list the newest messages and their progress",
      options: listing,
      run: (options) =>
        withMail(options, (given) =>
          list(given, (admin, limit) => admin.list({ onlyFailed: false, limit }), options),
        ),
    }),
    form({
      name: "failed",
      help: "list failed and rejected messages with the reason",
      options: listing,
      run: (options) =>
        withMail(options, (given) =>
          list(given, (admin, limit) => admin.list({ onlyFailed: true, limit }), options),
        ),
    }),
    form({
      name: "quarantine",
      help: "list mail in quarantine: from senders outside INGEST_SENDERS, and confirmations of forwarding",
      options: listing,
      run: (options) =>
        withMail(options, (given) =>
          list(
            given,
            (admin, limit) => admin.quarantined({ onlyConfirmations: false, limit }),
            options,
          ),
        ),
    }),
    form({
      name: "show",
      help: "show one message: its progress, how it arrived, and its text",
      arguments: one,
      options: {
        reveal: flag("also show sign-in codes and reset links, which no tool sees"),
        json,
        envFile,
      },
      run: (options, { emailId }) =>
        withMail(options, (given) =>
          onOne((mail, admin) => show(mail, admin, options.reveal), emailId, given),
        ),
    }),
    form({
      name: "release",
      help: "release a message from quarantine",
      arguments: one,
      options: { json, envFile },
      run: (options, { emailId }) => withMail(options, (given) => onOne(release, emailId, given)),
    }),
    form({
      name: "delete",
      help: "permanently delete a message, its index entries and its objects",
      arguments: one,
      options: { json, envFile },
      run: (options, { emailId }) => withMail(options, (given) => onOne(remove, emailId, given)),
    }),
    form({
      name: "retry",
      help: "process a message again; without an ID, all failed messages",
      arguments: { emailId: optional("ID") },
      options: {
        summaries: flag(
          "only let the model write the summary; without an ID, for all mail that the model did not summarise",
        ),
        json,
        envFile,
      },
      run: (options, { emailId }) =>
        withMail(options, async (given) => {
          if (options.summaries) await retrySummaries(emailId, given);
          else if (emailId === undefined) await retryAll(given);
          else await onOne(retry, emailId, given);
        }),
    }),
  ],
});

interface MailContext {
  config: Config;
  admin: MailAdmin;
  stores: Stores;
  tell: (line: string, data: Record<string, unknown>) => void;
}

async function withMail(
  options: { json: boolean; envFile: string | undefined },
  act: (given: MailContext) => Promise<void>,
): Promise<number> {
  const tell = (line: string, data: Record<string, unknown>): void =>
    options.json ? console.log(JSON.stringify(data)) : printLines(line);
  await withStores(options.envFile, ({ config, stores }) =>
    act({ config, admin: createMailAdmin(stores.database), stores, tell }),
  );
  return 0;
}

async function list(
  { admin, tell }: MailContext,
  read: (
    admin: MailAdmin,
    limit: number,
  ) => Promise<readonly Parameters<typeof summarizeMail>[0][]>,
  options: { limit: number; json: boolean },
): Promise<void> {
  const found = await read(admin, options.limit);
  for (const mail of found) tell(summarizeMail(mail), mailToJson(mail));
  if (found.length === 0 && !options.json) console.log("No messages.");
}

async function onOne(
  act: (mail: AdminMail | AdminRejectedMail, given: MailContext) => Promise<void>,
  emailId: string,
  given: MailContext,
): Promise<void> {
  const mail = await given.admin.find(emailId);
  if (mail === undefined) throw noMessage(emailId);
  await act(mail, given);
}

const messages = (count: number): string => `${count} ${count === 1 ? "message" : "messages"}`;

function noMessage(emailId: string): ToolError {
  return new ToolError("not_found", `There is no message ${emailId}. Nothing was done.`, {
    hint: "`mail list` shows the ids.",
  });
}

async function show(
  mail: AdminMail | AdminRejectedMail,
  { config, admin, stores, tell }: MailContext,
  reveals: boolean,
): Promise<void> {
  const arrivals = await admin.arrivals(mail.emailId);
  const isShown = reveals || (!config.ingest.hidesCodes && mail.state !== "searchable");
  const read = () => readableMail(mail, { admin, stores }, isShown ? "shown" : "hidden");
  const note = `showed the sign-in codes of ${mail.emailId}`;
  const readable = reveals ? await recorded(stores.audit, "mail show", note, read) : await read();
  tell(formatMail(mail, arrivals, readable), {
    ...mailToJson(mail, arrivals),
    ...(readable && {
      text: readable.text,
      attachments: readable.attachments.map(attachmentToJson),
    }),
  });
}

async function retryAll({ admin, tell }: MailContext): Promise<void> {
  const count = await admin.retry(firstStep);
  tell(
    count === 0
      ? "No message has failed. Nothing was done."
      : `${messages(count)} will be tried again by the next ingest or serve.`,
    { retried: count },
  );
}

async function retry({ emailId, state }: AdminMail, { admin, tell }: MailContext): Promise<void> {
  if (state === "rejected") {
    const todo = "to try again, move it back to its folder or prefix";
    throw new ToolError("conflict", `${emailId} is not stored here: ${todo}. Nothing was done.`);
  }
  if (state === "quarantined")
    throw new ToolError("conflict", `${emailId} is in quarantine: release it. Nothing was done.`);
  if ((await admin.retry(firstStep, emailId)) === 0)
    throw new ToolError("conflict", `${emailId} is being processed. Nothing was done.`);
  tell(`${emailId} will be tried again by the next ingest or serve.`, { retried: 1, emailId });
}

async function retrySummaries(
  emailId: string | undefined,
  { config, admin, tell }: MailContext,
): Promise<void> {
  if (config.summary === undefined) {
    const message =
      "SUMMARY_PROVIDER is not set, so no model can write summaries. Nothing was done.";
    throw new ToolError("not_configured", message);
  }
  const count = await admin.retrySummaries(emailId);
  if (emailId !== undefined && count === 0) {
    throw (await admin.find(emailId)) === undefined
      ? noMessage(emailId)
      : new ToolError(
          "conflict",
          `${emailId} has no text, or is being processed. Nothing was done.`,
        );
  }
  tell(
    count === 0
      ? "No message can be summarised again now. Nothing was done."
      : `${messages(count)} will be summarised by the next ingest or serve.`,
    { retried: count },
  );
}

async function release(
  { emailId, state }: AdminMail,
  { admin, stores, tell }: MailContext,
): Promise<void> {
  const notHeld = () =>
    new ToolError("conflict", `${emailId} is not in quarantine. Nothing was done.`);
  if (state !== "quarantined") throw notHeld();
  // Another process may have released or deleted it since it was read.
  const isReleased = await recorded(
    stores.audit,
    "mail release",
    `released ${emailId} from quarantine`,
    () => admin.release(emailId, firstStep),
    (done) => (done ? "ok" : "conflict"),
  );
  if (!isReleased) throw notHeld();
  tell(`Released. The message becomes searchable after ingest or serve has processed it.`, {
    released: true,
    emailId,
  });
}

async function remove(
  mail: AdminMail | AdminRejectedMail,
  { admin, stores, tell }: MailContext,
): Promise<void> {
  const { emailId } = mail;
  if ("location" in mail) {
    const note = `deleted the note of the rejected mail ${emailId}`;
    await recorded(stores.audit, "mail delete", note, () =>
      createRejectionNotes(stores.database).remove(emailId),
    );
    tell(`Deleted the note. The message is still in ${visible(mail.location)}.`, {
      deleted: true,
      emailId,
      objects: 0,
    });
    return;
  }
  const { objects } = await recorded(stores.audit, "mail delete", `deleted mail ${emailId}`, () =>
    deleteMail(emailId, { admin, objects: stores.objects }),
  );
  tell(`Deleted, with ${objects} stored object${objects === 1 ? "" : "s"}.`, {
    deleted: true,
    emailId,
    objects,
  });
}

function recorded<T>(
  audit: AuditRecord,
  tool: string,
  sentence: string,
  act: () => Promise<T>,
  outcomeOf?: (value: T) => string,
): Promise<T> {
  const change = { by: userName(), client: "terminal", tool, sentence };
  return audited(audit, change, act, outcomeOf);
}
