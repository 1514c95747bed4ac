import { expect, it, vi } from "vitest";
import { startRunner } from "../../src/ingest/pipeline/runner.ts";
import type { Step } from "../../src/ingest/pipeline/step.ts";
import type { ClaimedMail, MailProgress, MailStore } from "../../src/ports/mail/mail-store.ts";
import { quietLog } from "../fakes/quiet-log.ts";

/** Creates a store with one message, which is claimed again as long as it has a next step. Retries are due immediately. */
function oneMail(firstStep: string) {
  const written: MailProgress[] = [];
  let due: { step: string; attempts: number } | undefined = { step: firstStep, attempts: 0 };
  const claimed: Omit<ClaimedMail, "step" | "attempts"> = {
    emailId: "em_1",
    claim: "claim",
    rawSha256: "00",
    rawBytes: 1,
    receivedAt: new Date(),
  };
  const store: MailStore = {
    hasAllReceipts: () => Promise.resolve(false),
    admit: () => Promise.resolve({ isNew: true }),
    renew: () => Promise.resolve(),
    states: () => Promise.resolve(new Map()),
    claim: () => {
      const mail = due && { ...claimed, step: due.step, attempts: due.attempts + 1 };
      due = undefined;
      return Promise.resolve(mail === undefined ? [] : [mail]);
    },
    advance: (_mail, progress) => {
      written.push(progress);
      if (progress.next.kind === "retry") due = progress.next;
      return Promise.resolve(true);
    },
  };
  return { store, written };
}

const step = (name: string, run: Step["run"], more: Partial<Step> = {}): Step => ({
  name,
  attempts: 3,
  isCheckpoint: false,
  run,
  ...more,
});
const summary = (text: string) => ({ summary: { text, source: "extract" as const } });
const broken = () => Promise.reject(new Error("broken"));
const found = () => Promise.resolve({ searchable: { body: "x" } });

async function ends(firstStep: string, steps: readonly Step[]): Promise<MailProgress[]> {
  const { store, written } = oneMail(firstStep);
  const runner = startRunner({ store, steps, log: quietLog, backOffMs: () => 0, pollMs: 10 });
  await vi.waitFor(() => expect(written.at(-1)?.next.kind).toMatch(/finish|give up/), 30_000);
  await runner.stop();
  return written;
}

it("records the results of quick steps together, and a checkpoint before the next step", async () => {
  const steps = [
    step("first", () => Promise.resolve(summary("s"))),
    step("second", found, { isCheckpoint: true }),
    step("third", () => Promise.resolve({})),
  ];
  expect(await ends("first", steps)).toEqual([
    { ...summary("s"), searchable: { body: "x" }, next: { kind: "run", step: "third" } },
    { next: { kind: "finish" } },
  ]);
});

it("retries, then uses the fallback, and continues", async () => {
  const steps = [
    step("summarise", broken, { otherwise: () => Promise.resolve(summary("plain")) }),
    step("index", found),
  ];
  const retry = (attempts: number) => ({
    next: { kind: "retry", step: "summarise", attempts, afterMs: 0, reason: "broken" },
  });
  expect(await ends("summarise", steps)).toEqual([
    retry(1),
    retry(2),
    { ...summary("plain"), searchable: { body: "x" }, next: { kind: "finish" } },
  ]);
});

it("gives up with the reason without a fallback, and keeps earlier results", async () => {
  const steps = [
    step("first", () => Promise.resolve(summary("s"))),
    step("index", broken, { attempts: 1 }),
  ];
  expect(await ends("first", steps)).toEqual([
    { ...summary("s"), next: { kind: "give up", step: "index", reason: "broken" } },
  ]);
});
