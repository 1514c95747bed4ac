import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { createTransport } from "nodemailer";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import { freePort } from "../servers/child.ts";
import { startPostfix } from "../servers/postfix.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { recipient } from "../servers/ingest.ts";

/** Postfix has pauses of a minute. */
const soon = { timeout: 90_000, interval: 100 };

type Protocol = "smtp" | "lmtp";

/** Starts a Postfix that delivers to a port without a listener, and creates a data directory for the later listener. */
async function open(protocol: Protocol) {
  const { dataDir, stores, startHere } = openIngestWorld();
  const { cert, key } = makeCertificate(dataDir, ["127.0.0.1"]);
  const port = await freePort();
  const postfix = await startPostfix(protocol, port, "encrypt");
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") console.error(postfix.log());
    postfix.stop();
  });
  const transport = createTransport({ host: "127.0.0.1", port: postfix.port, ignoreTLS: true });
  return {
    postfix,
    dataDir,
    listen: () =>
      startHere({
        SMTP_PORT: String(port),
        SMTP_PROTOCOL: protocol,
        SMTP_TLS_CERT: cert,
        SMTP_TLS_KEY: key,
      }),
    send: (subject: string, to: string) =>
      transport.sendMail({
        from: "ann@example.org",
        to,
        subject,
        text: `${subject} \u00e4\n.\n..`,
      }),
    subjects: async (): Promise<string[]> => {
      const { hits } = await stores.mail.search({ limit: 10 });
      return hits.map(({ subject }) => subject).toSorted();
    },
    receipts: async () => {
      const { rows } = await stores.database.read({
        sql: "SELECT intake, envelope_from, helo, peer FROM mail_receipts",
        args: [],
      });
      return rows.map((row) => ({ ...row }));
    },
  };
}

const receiptOver = (protocol: Protocol) => ({
  intake: protocol,
  envelope_from: "ann@example.org",
  helo: "relay.example",
  peer: "127.0.0.1",
});

describe.skipIf(inject("missingServers").includes("postfix"))("mail that Postfix hands on", () => {
  it.each<Protocol>(["smtp", "lmtp"])(
    "over %s waits there without a listener, then arrives encrypted, and is refused for others [mail.relay]",
    { timeout: 300_000 },
    async (protocol) => {
      const { postfix, listen, send, subjects, receipts } = await open(protocol);
      await send("early", recipient);
      await expect.poll(() => postfix.log(), soon).toContain("status=deferred");
      await listen();
      await send("late", recipient);
      await send("foreign", "somebody@else.example");
      await expect.poll(subjects, soon).toEqual(["early", "late"]);
      await expect
        .poll(() => postfix.log(), soon)
        .toMatch(/to=<somebody@else.*status=bounced.*550/);
      expect(await receipts()).toEqual([receiptOver(protocol), receiptOver(protocol)]);
    },
  );

  it.each<Protocol>(["smtp", "lmtp"])(
    "over %s waits there while it cannot be stored, and arrives once later [mail.relay] [mail.put-off]",
    { timeout: 300_000 },
    async (protocol) => {
      const { postfix, dataDir, listen, send, subjects, receipts } = await open(protocol);
      await listen();
      await send("before", recipient);
      await expect.poll(subjects, soon).toEqual(["before"]);
      const url = pathToFileURL(join(dataDir, "countersign.db")).href;
      const other = createClient({ url, timeout: 5_000 });
      const lock = await other.transaction("write");
      const { messageId } = await send("during", recipient);
      /** The outcome of each attempt, as Postfix logs it. */
      const fates = (): string[] => {
        const log = postfix.log();
        const queueId = / (\w+): $/.exec(log.slice(0, log.indexOf(`message-id=${messageId}`)))?.[1];
        return [...log.matchAll(/(\w+): to=.* status=(\w+) \((?:.* said: )?(\d+)?/g)]
          .filter(([, id]) => id === queueId)
          .map(([, , status, code]) => `${status} ${code}`);
      };
      await expect.poll(fates, soon).not.toEqual([]);
      expect(new Set(fates())).toEqual(new Set(["deferred 451"]));
      await lock.rollback();
      other.close();
      await expect.poll(subjects, soon).toEqual(["before", "during"]);
      await expect.poll(() => fates().at(-1), soon).toBe("sent 250");
      expect(await receipts()).toEqual([receiptOver(protocol), receiptOver(protocol)]);
    },
  );
});
