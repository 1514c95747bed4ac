import { once } from "node:events";
import { readdirSync } from "node:fs";
import { availableParallelism, getPriority, platform } from "node:os";
import { Worker } from "node:worker_threads";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { reuseThreads } from "../../src/core/shared/idle-threads.ts";
import { watchThread, workedMs } from "../../src/ingest/mime/background-thread.ts";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { parseDeadlineMs } from "../../src/ingest/pipeline/limits.ts";
import { createParser, type Parser } from "../../src/ingest/mime/parser.ts";

/** Returns how many threads of this process have a lower priority than this one. */
function lowPriorities(): number {
  const own = getPriority();
  return readdirSync("/proc/self/task").filter((id) => getPriority(Number(id)) > own).length;
}

describe("the parser", () => {
  let parser: Parser;
  // A thread that has parsed before is faster, and its priority was set before.
  beforeAll(reuseThreads());
  afterEach(() => parser.close());

  const parse = async (message: string) => {
    const outcome = await parser.parse(Buffer.from(message), new Date());
    return outcome.kind === "parsed" ? outcome.mail.envelope.subject : outcome;
  };

  const textOf = async (attachment: { content: Uint8Array; mediaType: string }) => {
    const { value } = await parser.attachmentTexts([attachment]).next();
    return value ?? undefined;
  };

  it("stops a message at its deadline and continues with the next in a new thread", async () => {
    parser = createParser({ threads: 1, deadlineMs: (bytes) => (bytes > 1_000_000 ? 1 : 30_000) });
    // Takes many seconds alone. A fast machine parsed a plain message before the second look at its thread.
    const page = "<table><tr><td>x<td><b>y</b></table>".repeat(100_000);
    const results = await Promise.all([
      parse("Subject: one\n\n1"),
      parse(`Subject: slow\nContent-Type: text/html\n\n${page}`),
      parse("Subject: three\n\n3"),
    ]);
    expect(results).toEqual([
      "one",
      { kind: "lost", reason: "parsing it took longer than 1 ms" },
      "three",
    ]);
  });

  // A message that needs a quarter of a second was shown as raw text if other programs used the processors.
  it.skipIf(platform() !== "linux")(
    "counts the time that its thread had, and not that of others who were before it",
    { timeout: 180_000 },
    async () => {
      // The deadline is four times what the message takes alone, as no machine is as fast as another.
      let limitMs = 60_000;
      parser = createParser({ threads: 1, deadlineMs: () => limitMs });
      // The others take both processors for as long as it waits.
      const page = "<table><tr><td>x<td><b>y</b></table>".repeat(700);
      const slow = `Subject: slow\nContent-Type: text/html\n\n${page}`;
      expect(await parse(slow)).toBe("slow");
      const begunAt = performance.now();
      expect(await parse(slow)).toBe("slow");
      limitMs = 4 * (performance.now() - begunAt);

      const others = Array.from(
        { length: availableParallelism() },
        () => new Worker("for (;;);", { eval: true }),
      );
      onTestFinished(async () => void (await Promise.all(others.map((one) => one.terminate()))));
      await Promise.all(others.map((one) => once(one, "online")));
      expect(await parse(slow)).toBe("slow");
    },
  );

  // A small message was given up, because its thread got no processor for seconds.
  it.skipIf(platform() !== "linux")(
    "does not end a thread that waits for a processor before its wall time limit",
    async () => {
      // Threads begin to work when all have started. Otherwise the last ones would start on busy processors.
      const begin = new Int32Array(new SharedArrayBuffer(4));
      const busy = (code = "") =>
        new Worker(
          `const { parentPort, workerData } = require("node:worker_threads");
          ${code} Atomics.wait(workerData, 0, 0); for (;;);`,
          { eval: true, workerData: begin },
        );
      const threads = Array.from({ length: 8 * availableParallelism() }, () => busy());
      const watched = busy(`
        const id = Number(require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1));
        require("node:os").setPriority(id, 19);
        parentPort.postMessage(id);`);
      onTestFinished(async () => {
        await Promise.all([...threads, watched].map((one) => one.terminate()));
      });
      const started = Promise.all(threads.map((one) => once(one, "online")));
      const threadId = Number((await once(watched, "message"))[0]);
      await started;
      Atomics.store(begin, 0, 1);
      Atomics.notify(begin, 0);
      const limitMs = 100;
      const [begunAt, begunWork] = [performance.now(), workedMs(threadId)];
      await new Promise<void>((resolve) => watchThread(threadId, limitMs, resolve));
      const worked = workedMs(threadId) - begunWork;
      // A quarter of the limit passes before the first look.
      const isDue = worked >= limitMs / 2 || performance.now() - begunAt >= 10 * limitMs;
      expect({ isDue, worked }).toEqual({ isDue: true, worked });
    },
  );

  it("starts another thread if a message delays the next", async () => {
    parser = createParser({ deadlineMs: () => 60_000, isUrgent: true });
    const page = `Content-Type: text/html\n\n${"<table><tr><td>x<td><b>y</b></table>".repeat(8_000)}\n`;
    const attached = `--b\nContent-Type: message/rfc822\n\n${page}`.repeat(20);
    // Takes many seconds, so that the other is read in another thread or later. The end of the test stops it.
    let isRead = false;
    void parse(
      `Subject: slow\nContent-Type: multipart/mixed; boundary=b\n\n${attached}--b--\n`,
    ).then(() => (isRead = true));
    expect(await parse("Subject: quick\n\nword")).toBe("quick");
    expect(isRead).toBe(false);
  });

  // Each of two threads compiles the parser, so an import on two processors took longer with both.
  it.runIf(platform() === "linux").each([
    { processors: 2, further: 0 },
    { processors: 8, further: 1 },
  ])("starts a thread for a queue only on many processors: $processors", async (machine) => {
    const { processors, further } = machine;
    const startDelayMs = 250;
    parser = createParser({ isUrgent: true, processors, startDelayMs });
    const page = "<p>some <b>words</b> of a page</p>".repeat(20);
    const message = `Subject: a\nContent-Type: text/html\n\n${page}\n`;
    let fastestMs = Infinity;
    for (let at = 0; at < 20; at += 1) {
      const begunAt = performance.now();
      await parse(message);
      fastestMs = Math.min(fastestMs, performance.now() - begunAt);
    }
    // On any machine the queue takes several times as long as a message waits for a thread, and one message much less.
    const queued = Math.ceil((4 * startDelayMs) / fastestMs);
    const threads = readdirSync("/proc/self/task").length;
    await Promise.all(Array.from({ length: queued }, () => parse(message)));
    expect(readdirSync("/proc/self/task").length - threads).toBe(further);
  });

  it.each([
    [0, 2_000],
    [1_000_000, 2_000],
    [13_000_000, 11_000],
    [25_000_000, 20_000],
    [100_000_000, 20_000],
  ])("allows for %i bytes %i ms", (bytes, ms) => {
    expect(parseDeadlineMs(bytes)).toBe(ms);
  });

  it(
    "stops a message that takes too much memory, and reads the next",
    { timeout: 60_000 },
    async () => {
      // Starting the thread alone takes about 16 MB.
      parser = createParser({ threads: 1, heapMegabytes: 32, deadlineMs: () => 60_000 });
      const page = "<table><tr><td>x<td><b>y</b></table>".repeat(200_000);
      const results = await Promise.all([
        parse(`Content-Type: text/html\n\n${page}`),
        parse("Subject: next\n\n2"),
      ]);
      expect(results).toEqual([
        { kind: "lost", reason: "parsing it took too much memory" },
        "next",
      ]);
    },
  );

  it("stops an attachment at its deadline, and reads the next", async () => {
    parser = createParser({
      threads: 1,
      attachmentDeadlineMs: (bytes) => (bytes > 100 ? 1 : 30_000),
    });
    const html = (text: string) => ({ content: Buffer.from(text), mediaType: "text/html" });
    const texts = await Promise.all([
      textOf(html("<p>many words</p>".repeat(100_000))),
      textOf(html("<p>next</p>")),
    ]);
    expect(texts).toEqual([undefined, new Uint8Array(Buffer.from("next"))]);
  });

  it(
    "gives the attachments of a message one time limit, of which later ones have a share",
    { timeout: 240_000 },
    async () => {
      parser = createParser({
        threads: 1,
        // A thread of low priority got less than a hundredth of a busy machine, and then no attachment was read.
        isUrgent: true,
        attachmentDeadlineMs: (bytes) => (bytes > 100_000_000 ? 1_200 : 1_000),
      });
      const html = (text: string) => ({ content: Buffer.from(text), mediaType: "text/html" });
      const slow = html("<table><tr><td>x<td><b>y</b></table>".repeat(160_000));
      const mail = [slow, html("<p>next</p>"), ...Array.from({ length: 20 }, () => slow)];
      const before = process.cpuUsage();
      const texts: (string | undefined)[] = [];
      for await (const text of parser.attachmentTexts(mail))
        texts.push(text && Buffer.from(text).toString().slice(0, 10));
      const { user, system } = process.cpuUsage(before);
      expect(texts[1]).toBe("next");
      expect(texts.slice(-8)).toEqual(Array.from({ length: 8 }, () => undefined));
      // The shared limit, plus the time for starting a few threads. Separate limits would add up to a minute each.
      expect((user + system) / 1_000).toBeLessThan(20_000);
    },
  );

  it("gives the attachments of a message one text limit", { timeout: 60_000 }, async () => {
    parser = createParser({ threads: 1, attachmentDeadlineMs: () => 60_000 });
    const mail = Array.from({ length: 5 }, (_, at) => ({
      content: Buffer.from(`${at} `.repeat(1_000_000)),
      mediaType: "text/plain",
    }));
    const sizes: (number | undefined)[] = [];
    for await (const text of parser.attachmentTexts(mail)) sizes.push(text?.length);
    expect(sizes.slice(0, 2)).toEqual([1_999_999, 1_999_999]);
    expect(sizes.slice(3)).toEqual([expect.closeTo(100, -2), undefined]);
  });

  // An import took twice as long on a busy machine, because its parser got a tenth of a processor.
  it.runIf(platform() === "linux").each([
    { isUrgent: false, lower: 1 },
    { isUrgent: true, lower: 0 },
  ])("has $lower thread of low priority with isUrgent $isUrgent", async ({ isUrgent, lower }) => {
    parser = createParser({ threads: 1, isUrgent });
    const before = lowPriorities();
    expect(await parse("Subject: one\n\n1")).toBe("one");
    expect(lowPriorities() - before).toBe(lower);
  });

  it("explains in our words why a message cannot be parsed", async () => {
    parser = createParser({ threads: 1 });
    const nested = Array.from(
      { length: 300 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
    );
    expect(await parse(nested.join(""))).toEqual({
      kind: "unreadable",
      reason: "its parts are nested too deeply",
    });
  });

  it.each(["text/csv", "text/html"])(
    "reads the stored part of a large attachment (%s), and notes the rest",
    async (mediaType) => {
      parser = createParser();
      const content = Buffer.from("some words\n".repeat(600_000));
      const read = Buffer.from((await textOf({ content, mediaType }))!);
      const whole = Buffer.from((await attachmentText(content, mediaType, undefined))!);
      expect(read.equals(whole)).toBe(true);
      expect(read.subarray(-200).toString()).toMatch(/Cut here: [3-6]\d{6} more bytes/);
    },
  );
});
