import { expect, it, onTestFinished } from "vitest";
import { createRejectionNotes } from "../../src/adapters/libsql/mail/rejection-notes.ts";
import { createRejections } from "../../src/ingest/pipeline/rejections.ts";
import type { RejectedMail } from "../../src/ports/mail/rejected-mail.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { runCommandHere, storesAt } from "../servers/ingest.ts";

const giant = Buffer.from(
  "Received: from a.example\r\nFrom: Ann <ann@example.org>\r\nSubject: \x1b[31mhuge\r\n\r\nx",
);

const unstored = (more: Partial<RejectedMail> = {}): RejectedMail => ({
  id: "INBOX/1/1",
  intake: "imap",
  source: "INBOX of me at mail.example",
  location: "Countersign/Rejected",
  bytes: 30_000_000,
  reason: "it has 30000000 bytes; INGEST_MAX_BYTES allows 26214400 bytes",
  beginning: (bytes) => Promise.resolve(giant.subarray(0, bytes)),
  ...more,
});

function open() {
  const dataDir = temporaryDirectory();
  const stores = storesAt(dataDir);
  onTestFinished(() => stores.close());
  const run = (...args: string[]) => runCommandHere(dataDir, ["mail", ...args]);
  return { run, rejections: createRejections(createRejectionNotes(stores.database)) };
}

it("rejected mail is listed with sender, reason and location [mail.imap]", async () => {
  const { run, rejections } = open();
  expect(await rejections.reject(unstored())).toBe(true);
  for (const list of ["list", "failed"]) {
    const [head, ...notes] = (await run(list)).lines;
    expect(head).toMatch(
      /^rf_[a-z2-7]{26} {2}\S+Z {2}rejected {2}Ann <ann@example\.org>: \[31mhuge$/,
    );
    expect(notes).toEqual([
      "  problem   it has 30000000 bytes; INGEST_MAX_BYTES allows 26214400 bytes",
      "  is in     Countersign/Rejected, received by INBOX of me at mail.example",
    ]);
  }
  const id = (await run("failed")).stdout.split(" ")[0]!;
  expect((await run("show", id)).stdout).toContain("bytes\nproblem   it has 30000000 bytes");
  expect((await run("quarantine")).stdout).toBe("No messages.\n");
  expect(await run("retry", id)).toMatchObject({
    status: 1,
    stderr: `${id} is not stored here: to try again, move it back to its folder or prefix. Nothing was done.\n`,
  });
  expect((await run("retry")).stdout).toMatch(/^No message has failed/);
  expect((await run("delete", id)).stdout).toBe(
    "Deleted the note. The message is still in Countersign/Rejected.\n",
  );
  expect((await run("failed")).stdout).toBe("No messages.\n");
});

it("mail that is rejected again has one record with its present location, until it is accepted", async () => {
  const { run, rejections } = open();
  await rejections.reject(unstored());
  const first = (await run("failed")).lines[0];
  // The message was moved back, or the first process was killed before it had moved it.
  await rejections.reject(unstored({ id: "INBOX/1/7", location: "Elsewhere" }));
  const [head, , lies, ...more] = (await run("failed")).lines;
  expect([head, lies, more]).toEqual([
    first,
    "  is in     Elsewhere, received by INBOX of me at mail.example",
    [],
  ]);
  await rejections.reject(
    unstored({ id: "one", beginning: () => Promise.resolve(Buffer.alloc(0)) }),
  );
  await rejections.reject(
    unstored({ id: "two", beginning: () => Promise.resolve(Buffer.alloc(0)) }),
  );
  expect((await run("failed", "--json")).lines).toHaveLength(3);
  await rejections.forget(Buffer.from("Subject: another\r\n\r\n"), "imap");
  expect((await run("failed", "--json")).lines).toHaveLength(3);
  await rejections.forget(giant, "imap");
  expect((await run("failed", "--json")).lines).toHaveLength(2);
  expect((await run("failed", "--json", "--limit", "1")).lines).toHaveLength(1);
});

it("mail that disappears before its record is written has none", async () => {
  const { run, rejections } = open();
  expect(await rejections.reject(unstored({ beginning: () => Promise.resolve(undefined) }))).toBe(
    false,
  );
  expect((await run("failed")).stdout).toBe("No messages.\n");
});
