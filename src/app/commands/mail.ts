import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { createMailAdmin } from "../../adapters/libsql/mail/mail-admin.ts";
import { createMailRefusals } from "../../adapters/libsql/mail/mail-refusals.ts";
import type { AuditLog } from "../../core/audit/audit.ts";
import { randomId } from "../../core/shared/digest.ts";
import { visible } from "../../core/approvals/effect.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { deleteMail } from "../../ingest/pipeline/delete-mail.ts";
import { firstStep } from "../../ingest/pipeline/steps.ts";
import type { AdminMail, MailAdmin, RefusedMail } from "../../ports/mail/mail-admin.ts";
import { mailAsData, mailInFull, mailInShort } from "../../review/mail-lines.ts";
import { createLog } from "../platform/log.ts";
import { openStores, type Stores } from "../compose/open-stores.ts";
import { loadSettings } from "../platform/settings.ts";
import { mailText } from "../jobs/mail-text.ts";

export const usage = `Usage: countersign mail list|failed|quarantine [--limit N] [--json]
       countersign mail show|release|delete ID [--json]
       countersign mail retry [ID] [--summaries] [--json]

The state of what came in. Mail in quarantine is seen by no tool until you release it.

  list             the newest, and how far each is
  failed           those that were given up or could not be taken, and why
  quarantine       those that wait for you: from nobody you named, or asking whether to forward mail here
  retry            read a message anew; without an ID all that failed
  release          let a message out of quarantine
  delete           remove a message with all that was made of it; it cannot be brought back
  --summaries      only the summary, by the model; without an ID of all mail that has an extract
  --limit N        messages listed at most (100)
  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

const lists = ["list", "failed", "quarantine"];
const known = [...lists, "show", "retry", "release", "delete"];

/** Messages listed where nothing is said, and at most: more is read by nobody. */
const limits = { usual: 100, most: 10_000 };

interface Desk {
  desk: MailAdmin;
  stores: Stores;
  tell: (inWords: string, data: Record<string, unknown>) => void;
}

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      summaries: { type: "boolean", default: false },
      limit: { type: "string", default: String(limits.usual) },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action = "list", id, ...rest] = positionals;
  const takesId = !lists.includes(action);
  const needsId = takesId && action !== "retry";
  const limit = /^[1-9]\d{0,8}$/.test(values.limit) ? Number(values.limit) : NaN;
  const isWrong =
    !known.includes(action) ||
    rest.length > 0 ||
    (id === undefined ? needsId : !takesId) ||
    (values.summaries && action !== "retry") ||
    !(limit <= limits.most);
  if (values.help || isWrong) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  if (values.summaries && config.summary === undefined) {
    const nobody = "SUMMARY_PROVIDER is not set: there is no model that could write summaries.";
    throw new ToolError("not_configured", `${nobody} Nothing was done.`);
  }
  const stores = openStores(config, createLog(config.logLevel));
  const desk = createMailAdmin(stores.database);
  const tell = (inWords: string, data: Record<string, unknown>): void =>
    console.log(values.json ? JSON.stringify(data) : inWords);
  try {
    if (values.summaries) return await retrySummaries(id, { desk, stores, tell });
    if (id !== undefined) return await onOne(action, id, { desk, stores, tell });
    if (action === "retry") {
      const count = await desk.retry(firstStep);
      tell(`${count} will be tried again by the next ingest or serve.`, { retried: count });
      return 0;
    }
    const found =
      action === "quarantine"
        ? await desk.quarantined({ onlyConfirmations: false, limit })
        : await desk.list({ onlyFailed: action === "failed", limit });
    for (const mail of found) tell(mailInShort(mail), mailAsData(mail));
    if (found.length === 0 && !values.json) console.log("There is none.");
    return 0;
  } finally {
    await stores.close();
  }
}

async function onOne(action: string, emailId: string, given: Desk): Promise<number> {
  const { desk, tell } = given;
  const mail = await desk.find(emailId);
  if (mail === undefined) {
    throw new ToolError("not_found", `There is no message ${emailId}. Nothing was done.`);
  }
  if (action === "show") {
    const arrivals = await desk.arrivals(emailId);
    const text = await mailText(mail, { admin: desk, stores: given.stores });
    tell(mailInFull(mail, arrivals, text), {
      ...mailAsData(mail, arrivals),
      ...(text !== undefined && { text }),
    });
  } else if (action === "retry") await retry(mail, given);
  else if (action === "release") await release(mail, given);
  else await remove(mail, given);
  return 0;
}

async function retry({ emailId, state }: AdminMail, { desk, tell }: Desk): Promise<void> {
  if (state === "refused") {
    const todo = "move it back where it came to when it may be taken";
    throw new ToolError("conflict", `${emailId} is not here: ${todo}. Nothing was done.`);
  }
  if (state === "quarantined")
    throw new ToolError("conflict", `${emailId} is in quarantine: release it. Nothing was done.`);
  if ((await desk.retry(firstStep, emailId)) === 0)
    throw new ToolError("conflict", `${emailId} is being worked on. Nothing was done.`);
  tell(`${emailId} will be tried again by the next ingest or serve.`, { retried: 1, emailId });
}

async function retrySummaries(emailId: string | undefined, { desk, tell }: Desk): Promise<number> {
  const count = await desk.retrySummaries(emailId);
  if (emailId !== undefined && count === 0) {
    throw (await desk.find(emailId)) === undefined
      ? new ToolError("not_found", `There is no message ${emailId}. Nothing was done.`)
      : new ToolError("conflict", `${emailId} has no text, or is in work. Nothing was done.`);
  }
  tell(`${count} will be summarised by the next ingest or serve.`, { retried: count });
  return 0;
}

async function release({ emailId, state }: AdminMail, { desk, stores, tell }: Desk): Promise<void> {
  if (state !== "quarantined")
    throw new ToolError("conflict", `${emailId} is not in quarantine. Nothing was done.`);
  await recorded(stores.audit, "mail release", `released ${emailId} from quarantine`, () =>
    desk.release(emailId, firstStep),
  );
  tell(`Released. It can be found once ingest or serve has read it.`, { released: true, emailId });
}

async function remove(mail: AdminMail | RefusedMail, { desk, stores, tell }: Desk): Promise<void> {
  const { emailId } = mail;
  if ("liesIn" in mail) {
    const note = `deleted the note of a mail that was not taken, ${emailId}`;
    await recorded(stores.audit, "mail delete", note, () =>
      createMailRefusals(stores.database).remove(emailId),
    );
    tell(`Deleted the note. The message still lies in ${visible(mail.liesIn)}.`, {
      deleted: true,
      emailId,
      objects: 0,
    });
    return;
  }
  const { objects } = await recorded(stores.audit, "mail delete", `deleted mail ${emailId}`, () =>
    deleteMail(emailId, { desk, objects: stores.objects }),
  );
  tell(`Deleted, with ${objects} stored objects.`, { deleted: true, emailId, objects });
}

/** What changes who sees which mail is in the audit log before it happens, and with its outcome afterwards. */
async function recorded<T>(
  audit: AuditLog,
  tool: string,
  sentence: string,
  act: () => Promise<T>,
): Promise<T> {
  const event = {
    callId: randomId("call"),
    principal: userInfo().username,
    client: "terminal",
    tool,
    sentence,
  };
  await audit.append({ type: "started", at: new Date(), ...event });
  const outcome = await act().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const word = "value" in outcome ? "ok" : "failed";
  await audit.append({ type: "finished", at: new Date(), ...event, outcome: word });
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
