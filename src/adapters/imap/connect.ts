import type { ImapFlow } from "imapflow";
import type { Secret } from "../../core/shared/secret.ts";

export interface ImapSettings {
  host: string;
  port: number;
  /** `none` sends the password as it is: for a server on this machine. */
  tls: "implicit" | "starttls" | "none";
  username: string;
  password: Secret;
  mailbox: string;
}

/** Milliseconds and bytes. */
const limits = {
  connectMs: 30_000,
  greetingMs: 15_000,
  /** Silence in which a connection is taken for dead: longer than the pause between two rounds. */
  silenceMs: 120_000,
  /** An answer without a message in it: the numbers of a million messages. */
  lineBytes: 16 * 1024 * 1024,
} as const;

/** A signed-in client. Loads imapflow with the first one. Throws imapflow's errors. */
export async function connect(
  { host, port, tls, username, password }: ImapSettings,
  literalBytes: number,
  signal?: AbortSignal,
): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host,
    port,
    secure: tls === "implicit",
    ...(tls !== "implicit" && { doSTARTTLS: tls === "starttls" }),
    auth: { user: username, pass: password.reveal() },
    clientInfo: { name: "Countersign" },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    maxLineLength: limits.lineBytes,
    maxLiteralSize: literalBytes,
    maxResponseSize: literalBytes + limits.lineBytes,
  });
  // Whatever breaks also fails the command in hand, or closes the connection; unheard it would end the process.
  client.on("error", () => undefined);
  const giveUp = (): void => client.close();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    await client.connect();
  } catch (error) {
    client.close();
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
  return client;
}
