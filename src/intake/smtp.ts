import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import {
  type ArrivalLimit,
  type ArrivalLimits,
  createArrivalLimit,
} from "../core/network-limits/arrival-limit.ts";
import { networksOf } from "../core/network-limits/network.ts";
import type { Log } from "../core/shared/log.ts";
import { comparableAddress } from "../core/shared/text/mail-address.ts";
import { InsufficientStorage } from "../ports/mail/insufficient-storage.ts";
import type { Receipt } from "../ports/mail/mail-store.ts";
import { type SmtpLimits, smtpLimits } from "./limits.ts";
import { createMessageBuffer, createMemoryBudget, type MemoryBudget } from "./message-buffer.ts";
import { createGuard } from "./smtp-guard.ts";

export interface SmtpSettings {
  host: string;
  /** 0 uses a free port. */
  port: number;
  protocol: "smtp" | "lmtp";
  tls: { cert: string; key: string } | undefined;
  /** Normalised addresses. `@domain` covers every address there. */
  recipients: readonly string[];
  maxBytes: number;
  /** Resolves when the message is stored durably. Only then is it acknowledged. */
  keep: (message: Uint8Array, arrival: Omit<Receipt, "rawSha256" | "bytes">) => Promise<unknown>;
  log: Log;
  /** For tests: waiting ten minutes proves no more than waiting one second. */
  limits?: SmtpLimits;
  arrivals?: ArrivalLimits;
}

export interface SmtpIntake {
  host: string;
  port: number;
  /** Replaces the certificate for new TLS connections. */
  renewCertificate(tls: { cert: string; key: string }): void;
  /** Accepts no new connections, lets running messages end and closes other connections. */
  close(): Promise<void>;
}

/**
 * Opens the SMTP or LMTP server. smtp-server delays the greeting of each connection by 100 ms to catch spam programs
 * that talk first. The delay has no setting, and a relay that keeps its connection pays it once.
 * @throws Node's own error if the port cannot be opened
 */
export async function openSmtpIntake(settings: SmtpSettings): Promise<SmtpIntake> {
  const { host, port, protocol, tls, maxBytes, log, limits = smtpLimits } = settings;
  const accepted = new Set(settings.recipients);
  const room = createMemoryBudget(Math.max(limits.largeMessagesBytes, maxBytes));
  const arrivals = createArrivalLimit(() => performance.now(), settings.arrivals);
  const guard = createGuard((id, reason) => {
    for (const connection of server.connections)
      if (connection.id === id) connection.send(421, reason);
  }, limits);
  const server = new SMTPServer({
    lmtp: protocol === "lmtp",
    size: maxBytes,
    banner: "Countersign",
    authOptional: true,
    disabledCommands: tls === undefined ? ["AUTH", "STARTTLS"] : ["AUTH"],
    // Only TLS, which needs a certificate, uses root certificates. Reading them took a twentieth of each start.
    ...(tls ?? { ca: [] }),
    disableReverseLookup: true,
    // Relays accept invalid addresses, for example with two consecutive dots. A refusal here would lose their mail.
    lenientAddressParsing: true,
    maxClients: limits.sockets,
    logger: commandCounter((id, command) => guard.said(id, command)),
    maxRecipients: limits.recipients,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.closeMs,
    onConnect: (session, done) => {
      const refusal = guard.connected(session);
      done(refusal === undefined ? undefined : reply(421, refusal));
    },
    onClose: (session) => guard.closed(session),
    onRcptTo: ({ address }, session, done) => {
      if (protocol === "lmtp" && isNamed(session, address))
        return done(reply(452, "4.5.3 Recipient named twice, send it in another transaction"));
      if (isAccepted(accepted, address)) return done();
      done(
        guard.guessed(session)
          ? reply(421, "Too many unknown recipients")
          : reply(550, "No such recipient here"),
      );
    },
    onData: (stream, session, answer) => {
      guard.begun(session);
      receive(stream, session, { settings, room, arrivals }).then(
        () => {
          guard.ended(session, true);
          answer(null, "Kept");
        },
        (error: unknown) => {
          guard.ended(session, false);
          if (stream.errored) return log.debug("a message was interrupted", { cause: error });
          if (error instanceof Error && "responseCode" in error) return answer(error);
          if (error instanceof InsufficientStorage) {
            log.error(`${error.message} ${error.hint ?? ""}`);
            return answer(reply(452, "4.3.1 The disk is full, try again later"));
          }
          log.error("storing a message failed; the sender was asked to retry", { cause: error });
          answer(reply(451, "Could not be stored, try again later"));
        },
      );
    },
  });
  server.on("error", (cause) => log.debug("an SMTP connection failed", { cause }));
  await listening(server, port, host);
  const address = server.server.address();
  return {
    host,
    port: typeof address === "object" && address !== null ? address.port : port,
    renewCertificate: (renewed) => server.updateSecureContext(renewed),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface LogEntry {
  tnx?: string;
  /** The id of the session. */
  cid?: string;
  command?: string;
}

/** Creates a logger that only counts commands. smtp-server has no hook for commands such as NOOP, but logs each one. */
function commandCounter(said: (id: string, command: string) => void) {
  return {
    debug: ({ tnx, cid, command }: LogEntry): void => {
      if (tnx === "command" && cid !== undefined) said(cid, command ?? "");
    },
  };
}

function listening(server: SMTPServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, host, () => {
      server.server.off("error", reject);
      resolve();
    });
  });
}

interface Receiving {
  settings: SmtpSettings;
  room: MemoryBudget;
  arrivals: ArrivalLimit;
}

async function receive(
  stream: SMTPServerDataStream,
  { envelope, remoteAddress, hostNameAppearsAs }: SMTPServerSession,
  { settings: { protocol, maxBytes, keep }, room, arrivals }: Receiving,
): Promise<void> {
  const sender = networksOf(remoteAddress).narrow;
  const buffer = createMessageBuffer(maxBytes, room);
  try {
    // A message that is too large is read to its end, as the protocol requires, and discarded as it arrives.
    for await (const chunk of stream as AsyncIterable<Uint8Array>) buffer.add(chunk);
    const message = buffer.whole();
    if (buffer.discarded === "no memory")
      throw reply(452, "Too many large messages at once, try again later");
    if (message === undefined || stream.sizeExceeded)
      throw reply(552, `A message may have ${maxBytes} bytes at most`);
    if (arrivals.waitSeconds(sender, message.length) !== undefined)
      throw reply(452, "4.3.1 Too much mail from this network in an hour, try again later");
    const kept = keep(message, {
      intake: protocol,
      ...(envelope.mailFrom !== false && { envelopeFrom: envelope.mailFrom.address }),
      envelopeTo: envelope.rcptTo.map(({ address }) => address),
      peer: remoteAddress,
      helo: hostNameAppearsAs,
    });
    // Only stored messages use up the share, so an outage costs the sender nothing.
    kept.catch(() => arrivals.release(sender, message.length));
    await kept;
  } finally {
    buffer.release();
  }
}

function isAccepted(accepted: ReadonlySet<string>, recipient: string): boolean {
  const address = comparableAddress(recipient);
  return accepted.has(address) || accepted.has(address.slice(address.lastIndexOf("@")));
}

/**
 * Returns whether a recipient was named before. LMTP demands a reply for each of them (RFC 2033, section 4.2), but
 * smtp-server answers equal ones once, and the client would wait for the other reply.
 */
function isNamed({ envelope }: SMTPServerSession, recipient: string): boolean {
  const address = recipient.toLowerCase();
  return envelope.rcptTo.some((named) => named.address.toLowerCase() === address);
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
