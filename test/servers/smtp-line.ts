import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { connect as connectTls, type TLSSocket } from "node:tls";

/** SMTP byte by byte: nothing is awaited, stuffed or ended but what the test says. */
export interface SmtpLine {
  write(bytes: string): void;
  /** The next reply, its last line. */
  reply(): Promise<string>;
  /** Resolves when the server has closed the connection, with the replies that were not read. */
  closed(): Promise<readonly string[]>;
  /** TLS from here on, the handshake included. */
  secure(ca: Buffer): Promise<SmtpLine & { fingerprint: string }>;
  destroy(): void;
}

/**
 * Connects and waits for the greeting.
 * @param from another address of this machine as the source
 */
export async function smtpLine(port: number, from = "127.0.0.1"): Promise<SmtpLine> {
  const socket = connectTcp({ port, host: "127.0.0.1", localAddress: from, noDelay: true });
  const line = speak(socket);
  await line.reply();
  return line;
}

function speak(socket: Socket | TLSSocket): SmtpLine {
  const replies: string[] = [];
  let wake = (): void => undefined;
  let isClosed = false;
  const lines = createInterface({ input: socket });
  lines.on("line", (text) => {
    if (text[3] !== "-") replies.push(text);
    wake();
  });
  lines.on("error", () => undefined);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise<void>((resolve) => (wake = resolve));
  };
  return {
    write: (bytes) => void socket.write(Buffer.from(bytes, "latin1")),
    reply: async () => {
      await until(() => replies.length > 0 || isClosed);
      return replies.shift() ?? "closed";
    },
    closed: async () => {
      await until(() => isClosed);
      return replies;
    },
    secure: async (ca) => {
      lines.close();
      socket.removeAllListeners("data");
      const secured = connectTls({ socket, ca, servername: "localhost" });
      await once(secured, "secureConnect");
      return { ...speak(secured), fingerprint: secured.getPeerCertificate().fingerprint256 };
    },
    destroy: () => void socket.destroy(),
  };
}
