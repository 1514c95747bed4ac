import { readdirSync } from "node:fs";
import { platform } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { createMarksThread } from "../../src/adapters/fingerprints/marks-thread.ts";
import { reuseThreads } from "../../src/core/shared/idle-threads.ts";
import { createParser } from "../../src/ingest/mime/parser.ts";

const endReuse = reuseThreads();
afterEach(endReuse);

const threads = (): number => readdirSync("/proc/self/task").length;

async function fingerprints(key: Uint8Array): Promise<unknown> {
  const maker = createMarksThread(key);
  const [made] = await maker.make([
    { text: "The code of the lighthouse is 471193.", topic: "A code" },
  ]);
  await maker.close();
  return made?.marks;
}

async function subjectOf(subject: string): Promise<unknown> {
  const parser = createParser({ threads: 1 });
  const outcome = await parser.parse(Buffer.from(`Subject: ${subject}\n\nx`), new Date(0));
  await parser.close();
  return outcome.kind === "parsed" ? outcome.mail.envelope.subject : outcome;
}

describe("a thread that had another installation", () => {
  it("makes fingerprints with the key of its own", async () => {
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const alone = await fingerprints(second);
    reuseThreads();
    const other = await fingerprints(first);
    expect(await fingerprints(second)).toEqual(alone);
    expect(other).not.toEqual(alone);
  });

  it.runIf(platform() === "linux")("parses the next message and is not started anew", async () => {
    reuseThreads();
    expect(await subjectOf("one")).toBe("one");
    const before = threads();
    expect(await subjectOf("two")).toBe("two");
    expect(threads()).toBe(before);
    endReuse();
    await expect.poll(threads).toBeLessThan(before);
  });
});
