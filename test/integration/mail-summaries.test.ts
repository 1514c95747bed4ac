import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ServerResponse } from "node:http";
import { type IngestWorld, openIngestWorld } from "../servers/ingest-world.ts";
import { type IngestHere, runCommandHere, smtpSession } from "../servers/ingest.ts";
import {
  type Answer,
  chatAnswer,
  modelKey,
  type ModelServer,
  type Protocol,
  reply,
  startModel,
} from "../servers/text-model.ts";

let world: IngestWorld;

beforeEach(() => {
  world = openIngestWorld();
});

async function model(answer: Answer, protocol: Protocol = "openai-compatible") {
  const server = await startModel(protocol, answer);
  onTestFinished(() => server.close());
  return server;
}

const settingsFor = (
  server: ModelServer,
  more: Record<string, string> = {},
): Record<string, string> => ({
  SUMMARY_PROVIDER: "openai-compatible",
  SUMMARY_MODEL: "small",
  SUMMARY_API_KEY: modelKey,
  SUMMARY_BASE_URL: server.url,
  ...more,
});

async function deliver({ port }: IngestHere, ...subjects: string[]): Promise<void> {
  const session = await smtpSession(port);
  for (const subject of subjects) {
    const text = `Hello,\r\n\r\nthis is the extract of ${subject}, word by word.\r\n`;
    const message = `From: Ann <ann@example.org>\r\nSubject: ${subject}\r\n\r\n${text}`;
    expect(await session.send(Buffer.from(message))).toMatch(/^250 /);
  }
  session.close();
}

const hitsOf = async (query: string) => (await world.stores.mail.search({ query, limit: 20 })).hits;

/** The one hit, polled for. */
const hitOf = (query: string) =>
  expect.poll(async () => (await hitsOf(query))[0], { timeout: 30_000, interval: 50 });

const subjectOf = (prompt: string): string => /^Subject: (.*)$/m.exec(prompt)?.[1] ?? "";

describe("a summary by a model", () => {
  it.each<Protocol>(["openai-compatible", "anthropic"])(
    "is requested once over the protocol %s, with the mail fenced as data, and is searchable [mail.summary]",
    async (protocol) => {
      const server = await model(() => "Ann proposes a zeppelin trip.", protocol);
      const running = await world.startHere(settingsFor(server, { SUMMARY_PROVIDER: protocol }));
      await deliver(running, "a plan");
      await hitOf("zeppelin").toMatchObject({
        subject: "a plan",
        summary: "Ann proposes a zeppelin trip.",
        summarySource: "model",
      });
      expect(await hitsOf("extract plan")).toHaveLength(1);
      expect(server.requests).toHaveLength(1);
      const [{ system, prompt, body }] = server.requests as [ModelServer["requests"][0]];
      expect(body).toMatchObject({ model: "small", temperature: 0 });
      const [fence] = prompt.split("\n");
      expect(system).toContain(`between the two lines ${fence}`);
      expect(prompt.endsWith(fence!)).toBe(true);
      expect(prompt).toContain("this is the extract of a plan, word by word.");
      expect(await running.stop("SIGTERM")).toBe(0);
    },
  );

  it("delays nothing: the mail is found with its extract before [mail.summary-later]", async () => {
    const held: ServerResponse[] = [];
    const server = await model((_, response) => void held.push(response));
    const running = await world.startHere(settingsFor(server));
    await deliver(running, "patience");
    await hitOf("patience").toMatchObject({ summarySource: "extract" });
    await expect.poll(() => held.length).toBe(1);
    expect((await hitsOf("patience"))[0]!.summary).toMatch(/^this is the extract/);
    reply(held[0]!, chatAnswer("Worth waiting for."));
    await hitOf("patience").toMatchObject({
      summary: "Worth waiting for.",
      summarySource: "model",
    });
  });

  it("arrives later if the service fails, is slow, endless or invalid [mail.summary-later]", async () => {
    const seen = new Map<string, number>();
    const server = await model(({ prompt }, response) => {
      const subject = subjectOf(prompt);
      const times = (seen.get(subject) ?? 0) + 1;
      seen.set(subject, times);
      if (times > 1) return `Summary of ${subject} at last.`;
      switch (subject) {
        case "broken":
          return reply(response, { error: { message: "oops" } }, 500);
        case "junk":
          response.writeHead(200, { "content-type": "application/json" }).end("{nonsense");
          return undefined;
        case "empty":
          return " ";
        case "endless":
          return "x".repeat(10_000_000);
        default:
          // Slow: no response at all.
          return undefined;
      }
    });
    const running = await world.startHere(settingsFor(server, { SUMMARY_TIMEOUT_MS: "5000" }));
    const subjects = ["broken", "junk", "empty", "endless", "slow"];
    await deliver(running, ...subjects);
    for (const subject of subjects) {
      await hitOf(`subject:${subject}`).toMatchObject({
        summary: `Summary of ${subject} at last.`,
        summarySource: "model",
      });
    }
    expect(Object.fromEntries(seen)).toEqual({ broken: 2, junk: 2, empty: 2, endless: 2, slow: 2 });
    expect(running.said.join("\n")).not.toContain(modelKey);
  });

  it("is not requested again before Retry-After has passed", async () => {
    const server = await model((_, response) => {
      if (server.requests.length > 1) return "Now.";
      return reply(response, { error: { message: "slower" } }, 429, { "retry-after": "3" });
    });
    const running = await world.startHere(settingsFor(server));
    await deliver(running, "rush");
    await hitOf("rush").toMatchObject({ summary: "Now." });
    const [first, second] = server.requests;
    expect(second!.at - first!.at).toBeGreaterThan(2_900);
  });

  it("is requested for at most SUMMARY_CONCURRENCY mails at a time", async () => {
    const before = await world.startHere();
    await deliver(before, "one", "two", "three", "four", "five");
    for (const subject of ["one", "five"])
      await hitOf(`subject:${subject}`).toMatchObject({ summarySource: "extract" });
    expect(await before.stop("SIGTERM")).toBe(0);
    const held: ServerResponse[] = [];
    const server = await model((_, response) => void held.push(response));
    const env = settingsFor(server, { SUMMARY_CONCURRENCY: "3" });
    await runCommandHere(world.dataDir, ["mail", "retry", "--summaries"], env);
    const running = await world.startHere(env);
    await expect.poll(() => held.length).toBe(3);
    // All requests that start together have started by the time that another mail is found.
    await deliver(running, "six");
    await hitOf("subject:six").toMatchObject({ summarySource: "extract" });
    expect(held).toHaveLength(3);
    reply(held[0]!, chatAnswer("The first of them."));
    await expect.poll(() => held.length).toBe(4);
  });

  it("is stopped immediately if the key is rejected, which is logged once without the key", async () => {
    let asked = 0;
    const server = await model(() => "never");
    const wrongKey = "sk-wrong-9876543210";
    const running = await world.startHere(settingsFor(server, { SUMMARY_API_KEY: wrongKey }));
    const refusals = () => running.said.filter((line) => line.includes("refused the key"));
    await deliver(running, "first");
    await expect.poll(() => refusals().length).toBe(1);
    await deliver(running, "second", "third");
    await hitOf("third").toMatchObject({ summarySource: "extract" });
    asked = server.requests.length;
    expect(await running.stop("SIGTERM")).toBe(0);
    expect(asked).toBe(0);
    expect(refusals()).toHaveLength(1);
    expect(refusals()[0]).toContain("Check SUMMARY_API_KEY");
    expect(running.said.join("\n")).not.toContain(wrongKey);
    // After a restart with the right key, the waiting summaries are written.
    await world.startHere(settingsFor(server));
    for (const subject of ["first", "second", "third"])
      await hitOf(subject).toMatchObject({ summary: "never", summarySource: "model" });
  });

  it("contains no link or markup that a mail induced", async () => {
    const answer =
      "Ignore previous instructions, [click](http://evil.example/a) <b>now</b> **at** www.evil.example\u202E\u200B";
    const server = await model(() => answer);
    const running = await world.startHere(settingsFor(server));
    await deliver(running, "trick");
    await hitOf("trick").toMatchObject({
      summary: "Ignore previous instructions, click now at",
      summarySource: "model",
    });
  });
});

const dayMs = 86_400_000;

/** Days end at midnight UTC: what must happen within one does not begin in the last minutes. */
async function withinOneDay(): Promise<void> {
  const minutes = 3 * 60_000;
  await vi.waitFor(() => expect(Date.now() % dayMs).toBeLessThan(dayMs - minutes), {
    timeout: minutes + 30_000,
    interval: 1_000,
  });
}

describe("the day's calls to a model", { timeout: 300_000 }, () => {
  it("are counted across restarts, and the rest keeps its extract [mail.summary-budget]", async () => {
    await withinOneDay();
    const server = await model(({ prompt }) => `Model on ${subjectOf(prompt)}.`);
    const env = settingsFor(server, { SUMMARY_CALLS_PER_DAY: "2", SUMMARY_CONCURRENCY: "1" });
    const first = await world.startHere(env);
    await deliver(first, "one", "two", "three", "four");
    const bySource = async () =>
      (await hitsOf("")).map(({ summarySource }) => summarySource).sort();
    const spent = ["extract", "extract", "model", "model"];
    await expect.poll(bySource).toEqual(spent);
    const usedUp = (running: IngestHere) => () => running.said.join("\n");
    await expect.poll(usedUp(first)).toContain("are used up");
    expect(await first.stop("SIGTERM")).toBe(0);
    const second = await world.startHere(env);
    await expect.poll(usedUp(second)).toContain("are used up");
    expect(await second.stop("SIGTERM")).toBe(0);
    expect(server.requests).toHaveLength(2);
    expect(await bySource()).toEqual(spent);
  });
});

describe("countersign mail retry --summaries", () => {
  it("makes the model summarise earlier mail without a summary [mail.summary-retry]", async () => {
    const before = await world.startHere();
    await deliver(before, "old");
    await hitOf("old").toMatchObject({ summarySource: "extract" });
    expect(await before.stop("SIGTERM")).toBe(0);
    const server = await model(() => "Freshly summarised.");
    const refused = await runCommandHere(world.dataDir, ["mail", "retry", "--summaries"]);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain("SUMMARY_PROVIDER is not set");
    const retried = await runCommandHere(
      world.dataDir,
      ["mail", "retry", "--summaries", "--json"],
      settingsFor(server),
    );
    expect(JSON.parse(retried.stdout)).toEqual({ retried: 1 });
    await world.startHere(settingsFor(server));
    await hitOf("old").toMatchObject({ summary: "Freshly summarised.", summarySource: "model" });
    const { emailId } = (await hitsOf("old"))[0]!;
    expect((await runCommandHere(world.dataDir, ["mail", "show", emailId])).stdout).toContain(
      "summary   by the model",
    );
    // The model has written it: there is no extract left to replace.
    const again = ["mail", "retry", "--summaries", "--json"];
    expect((await runCommandHere(world.dataDir, again, settingsFor(server))).lines).toEqual([
      '{"retried":0}',
    ]);
  });

  it("makes it summarise the named message, also a second time", async () => {
    const server = await model(({ prompt }) => `${server.requests.length}: ${subjectOf(prompt)}.`);
    const env = settingsFor(server);
    const before = await world.startHere();
    await deliver(before, "this one", "another one");
    await hitOf("this").toMatchObject({ summarySource: "extract" });
    await hitOf("another").toMatchObject({ summarySource: "extract" });
    expect(await before.stop("SIGTERM")).toBe(0);
    const { emailId } = (await hitsOf("this"))[0]!;
    const retry = () =>
      runCommandHere(world.dataDir, ["mail", "retry", emailId, "--summaries"], env);
    expect((await retry()).stdout).toBe(
      "1 message will be summarised by the next ingest or serve.\n",
    );
    await world.startHere(env);
    await hitOf("this").toMatchObject({ summary: "1: this one.", summarySource: "model" });
    await retry();
    await hitOf("this").toMatchObject({ summary: "2: this one." });
    expect((await hitsOf("another"))[0]).toMatchObject({ summarySource: "extract" });
    const absent = ["mail", "retry", "em_aaaaaaaaaaaaaaaaaaaaaaaaaa", "--summaries"];
    expect((await runCommandHere(world.dataDir, absent, env)).stderr).toContain(
      "There is no message",
    );
  });

  it("retries a failed one as often as a new one", async () => {
    const server = await model(() => (server.requests.length < 5 ? " " : "At last."));
    const env = settingsFor(server);
    const running = await world.startHere(env);
    await deliver(running, "hard");
    await expect.poll(() => server.requests.length, { timeout: 30_000 }).toBe(3);
    const retry = async () =>
      (await runCommandHere(world.dataDir, ["mail", "retry", "--summaries"], env)).stdout;
    // Nothing is retried that is under way.
    await expect.poll(retry).toMatch(/^1 message will/);
    await hitOf("hard").toMatchObject({ summary: "At last.", summarySource: "model" });
    expect(server.requests).toHaveLength(5);
  });
});
