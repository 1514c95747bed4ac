import { createTransport } from "nodemailer";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { makeCertificate } from "../servers/certificate.ts";
import { freePort } from "../servers/child.ts";
import { startPostfix } from "../servers/postfix.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { recipient } from "../servers/ingest.ts";

/** Postfix has pauses of a minute. */
const soon = { timeout: 90_000, interval: 100 };

describe.skipIf(inject("missingServers").includes("postfix"))("mail that Postfix hands on", () => {
  it.each(["smtp", "lmtp"] as const)(
    "over %s waits there while nobody listens, then comes, encrypted, and is refused for others [mail.relay]",
    { timeout: 300_000 },
    async (protocol) => {
      const { dataDir, stores, start } = openIngestWorld();
      const { cert, key } = makeCertificate(dataDir, ["127.0.0.1"]);
      const port = await freePort();
      const postfix = await startPostfix(protocol, port, "encrypt");
      onTestFinished(({ task }) => {
        if (task.result?.state === "fail") console.error(postfix.log());
        postfix.stop();
      });
      const transport = createTransport({ host: "127.0.0.1", port: postfix.port, ignoreTLS: true });
      const send = (subject: string, to: string) =>
        transport.sendMail({
          from: "ann@example.org",
          to,
          subject,
          text: `${subject} \u00e4\n.\n..`,
        });
      await send("early", recipient);
      await expect.poll(() => postfix.log(), soon).toContain("status=deferred");
      await start({
        SMTP_PORT: String(port),
        SMTP_PROTOCOL: protocol,
        SMTP_TLS_CERT: cert,
        SMTP_TLS_KEY: key,
      });
      await send("late", recipient);
      await send("foreign", "somebody@else.example");
      const subjects = async (): Promise<string[]> => {
        const { hits } = await stores.mail.search({ limit: 10 });
        return hits.map(({ subject }) => subject).toSorted();
      };
      await expect.poll(subjects, soon).toEqual(["early", "late"]);
      await expect
        .poll(() => postfix.log(), soon)
        .toMatch(/to=<somebody@else.*status=bounced.*550/);
      const { rows } = await stores.database.read({
        sql: "SELECT intake, envelope_from, helo, peer FROM mail_receipts",
        args: [],
      });
      const receipt = {
        intake: protocol,
        envelope_from: "ann@example.org",
        helo: "relay.example",
        peer: "127.0.0.1",
      };
      expect(rows.map((row) => ({ ...row }))).toEqual([receipt, receipt]);
    },
  );
});
