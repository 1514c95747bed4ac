import { hostname } from "node:os";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { randomId } from "../../core/shared/digest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { AcceptMessage } from "../../ingest/pipeline/accept-message.ts";
import { type LeaderElection, startLeaderElection } from "../leader/leader-election.ts";
import { openHttpIntake } from "../../intake/http.ts";
import { openSmtpIntake } from "../../intake/smtp.ts";
import { mailPlaces } from "../mail/fetch-mail.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile } from "../command-line/options.ts";
import { createLog } from "../platform/log.ts";
import { type Ingest, openIngest } from "../compose/open/open-ingest.ts";
import { refuseDuringCommand } from "../compose/without-others.ts";
import { startLeaderJobsWith } from "../leader/leader-jobs.ts";
import { withListenErrors, listenAddressOf } from "../platform/listening.ts";
import { loadSettings } from "../platform/settings.ts";
import { type Pair, readPair, watchPair } from "../mail/smtp-certificate.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const command = defineCommand({
  about: "Receives mail, stores it and makes it searchable, until it is stopped.",
  forms: [form({ options: { envFile }, run: ingest })],
});

/** Runs the receivers of mail and the processing of messages until a signal arrives. */
async function ingest(options: { envFile: string | undefined }): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const places = mailPlaces(config);
  const talks = config.assistant?.isInTelegram === true || config.telegram?.digestAt !== undefined;
  const receives = config.smtp !== undefined || config.ingest.http !== undefined;
  if (!receives && !talks && places.length === 0) {
    console.error(
      "INGEST_RECIPIENTS is not set, so no mail can arrive. Set it to the address that you forward mail to, or to @your.domain. For another intake set IMAP_HOST, INGEST_BUCKET_PREFIX or INGEST_HTTP_PORT.",
    );
    return 1;
  }
  const log = createLog(config.logLevel);
  const stopped = stopSignal();
  const opened = openIngest(config, log);
  const receivers: Receiver[] = [];
  let election: LeaderElection | undefined;
  try {
    const isAnswering = await refuseUnusable(opened);
    const holder = `${hostname()} ${process.pid} ${randomId("ingest")}`;
    // Every `ingest` process handles the mail that it received. Only the leader does the work that must not run twice.
    const begin = async () =>
      await startLeaderJobsWith(opened, { config, stores: opened.stores, log });
    election = startLeaderElection({ leases: opened.leases, holder, begin, log });
    if (isAnswering) {
      // Before any mail arrives, so that no command removes or copies the stores meanwhile.
      await election.requested;
      await refuseDuringCommand(opened.stores.database, "No mail was accepted.");
    }
    if (config.smtp !== undefined)
      receivers.push(await receiveSmtp(config, config.smtp, opened.keep, log));
    if (config.ingest.http !== undefined)
      receivers.push(await receiveHttp(config, config.ingest.http, opened.keep, log));
    if (config.smtp === undefined)
      console.error("INGEST_RECIPIENTS is not set: no mail is accepted over SMTP.");
    for (const { announcement } of receivers) console.error(announcement);
    for (const place of places)
      console.error(`Fetching mail from ${place}, unless another process does`);
    await stopped;
  } finally {
    await Promise.all(receivers.map(({ close }) => close()));
    await election?.close();
    await opened.close();
  }
  return 0;
}

/**
 * Refuses a database that will not answer later either: of a newer program, damaged or half copied. If a server does
 * not answer now, ingest starts, and senders keep their mail until it does.
 * @returns whether it answers
 */
async function refuseUnusable({ stores }: Ingest): Promise<boolean> {
  try {
    await stores.database.read({ sql: "SELECT 1", args: [] });
    return true;
  } catch (error) {
    if (error instanceof ToolError && error.kind === "not_configured") throw error;
    return false;
  }
}

interface Receiver {
  announcement: string;
  close: () => Promise<void>;
}

async function receiveSmtp(
  config: Config,
  smtp: NonNullable<Config["smtp"]>,
  keep: AcceptMessage,
  log: Log,
): Promise<Receiver> {
  const tls = smtp.tls && (await readPair(smtp.tls));
  const { maxBytes } = config.ingest;
  const intake = await withListenErrors(listenAddressOf("SMTP", smtp), () =>
    openSmtpIntake({ ...smtp, tls, maxBytes, keep, log }),
  );
  const at = `${smtp.protocol}://${inUrl(smtp.host)}:${intake.port}`;
  const announcement = `Accepting mail at ${at} for ${smtp.recipients.join(", ")}`;
  const renew = (pair: Pair): void => intake.renewCertificate(pair);
  const watch = smtp.tls && tls && watchPair(smtp.tls, tls, { renew, log });
  return {
    announcement,
    close: async () => {
      watch?.close();
      await intake.close();
    },
  };
}

async function receiveHttp(
  config: Config,
  { port, token }: NonNullable<Config["ingest"]["http"]>,
  keep: AcceptMessage,
  log: Log,
): Promise<Receiver> {
  const { host, publicUrl } = config.http;
  const behindProxy = publicUrl !== undefined;
  const { maxBytes } = config.ingest;
  const intake = await withListenErrors(listenAddressOf("INGEST_HTTP", { host, port }), () =>
    openHttpIntake({ host, port, token, behindProxy, maxBytes, keep, log }),
  );
  const announcement = `Accepting raw messages at http://${inUrl(host)}:${intake.port}/ingest`;
  return { announcement, close: () => intake.close() };
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
