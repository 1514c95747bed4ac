import { mergeManyWords } from "../../../adapters/libsql/search/merged-words.ts";
import { createLeases } from "../../../adapters/libsql/driver/leases.ts";
import { createRejectionNotes } from "../../../adapters/libsql/mail/rejection-notes.ts";
import { createMailStore } from "../../../adapters/libsql/mail/mail-store.ts";
import { createSummaryQueue } from "../../../adapters/libsql/mail/summary-queue.ts";
import { createTextModel } from "../../../adapters/llm/text-model.ts";
import { createMailAuthenticator } from "../../../adapters/mailauth/authenticator.ts";
import type { Config } from "../../../config.ts";
import type { Log } from "../../../core/shared/log.ts";
import {
  createAcceptMessage,
  inboxBytes,
  type AcceptMessage,
} from "../../../ingest/pipeline/accept-message.ts";
import { createParser } from "../../../ingest/mime/parser.ts";
import { createRejections, type Rejections } from "../../../ingest/pipeline/rejections.ts";
import { startRunner } from "../../../ingest/pipeline/runner.ts";
import { firstStep, mailSteps } from "../../../ingest/pipeline/steps.ts";
import { startSummaries, type SummaryRunner } from "../../../ingest/summary/summary-runner.ts";
import { createEnvelopeVerifier } from "../../../ingest/pipeline/verified-envelope.ts";
import { createQuarantine } from "../../../ingest/pipeline/quarantine.ts";
import type { Leases } from "../../../ports/leases.ts";
import type { MailStore } from "../../../ports/mail/mail-store.ts";
import { createRoomForMail } from "../../mail/room-for-mail.ts";
import { type Stores, openStores } from "./open-stores.ts";

export interface Ingest {
  keep: AcceptMessage;
  rejections: Rejections;
  store: MailStore;
  leases: Leases;
  stores: Stores;
  /** Returns why the last step of a message failed. Undefined after a success. */
  trouble(): string | undefined;
  /** Starts the summaries by a model, if one is configured. Only the leader calls it. */
  startSummaries(): SummaryRunner | undefined;
  /** Finishes current work and closes the stores. The next start continues with waiting messages. */
  close(): Promise<void>;
}

/**
 * Opens the pipeline from acceptance of a message to its search index, with everything that it needs.
 * @param isBulk the caller accepts many messages at the same time, and a person waits for them
 */
export function openIngest(
  config: Config,
  log: Log,
  { isBulk = false }: { isBulk?: boolean } = {},
): Ingest {
  const stores = openStores(config, log);
  const { database, objects } = stores;
  const hasFarObjects = config.s3 !== undefined;
  const store = createMailStore(database, { hasFarObjects });
  const { hidesCodes, ownerAddresses, notifyNewMail, dns, trustedHost, trustedRelays } =
    config.ingest;
  const parser = createParser({ hidesCodes, isUrgent: isBulk });
  const isRelay = (address: string): boolean => trustedRelays?.has(address) ?? false;
  const servers = typeof dns === "string" ? undefined : dns;
  const authenticator = dns === "off" ? undefined : createMailAuthenticator({ servers, log });
  const { summary } = config;
  const steps = mailSteps({
    objects,
    authenticator,
    trustedHost,
    isRelay,
    parser,
    ownerAddresses,
    hidesCodes,
    hasFarObjects,
    hasModel: summary !== undefined,
    notifies: notifyNewMail,
  });
  const runner = startRunner({ store, steps, log });
  return {
    keep: createAcceptMessage({
      objects,
      store,
      // A message may wait in the inbox between two files on one disk. With a bucket, it is stored there before it is
      // acknowledged.
      inboxBytes: config.s3 === undefined && config.database.kind === "file" ? inboxBytes : 0,
      firstStep,
      // The words and rows are on this disk, even if the messages are in a bucket.
      roomForMail: config.database.kind === "file" ? createRoomForMail(config.dataDir) : undefined,
      quarantineOf: createQuarantine(
        config.ingest.senders,
        createEnvelopeVerifier({ authenticator, trustedHost, isRelay }),
      ),
      isBulk,
      runner,
    }),
    rejections: createRejections(createRejectionNotes(database)),
    store,
    leases: createLeases(database),
    stores,
    trouble: () => runner.trouble(),
    startSummaries: () =>
      summary &&
      startSummaries({
        ...summary,
        queue: createSummaryQueue(database),
        objects,
        model: createTextModel(summary),
        log,
      }),
    close: async () => {
      await runner.stop();
      await parser.close();
      await authenticator?.close();
      // An import leaves many segments. Without the merge, only the index would be larger.
      if (isBulk)
        await mergeManyWords(database).catch((cause: unknown) =>
          log.warn("merging the index of mail failed", { cause }),
        );
      await stores.close();
    },
  };
}
