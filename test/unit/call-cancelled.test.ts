import { describe, expect, it } from "vitest";
import { decideTicket } from "../../src/core/approvals/decide-ticket.ts";
import {
  audit,
  calls,
  reset,
  seesVersion,
  settings,
  steps,
  tool,
  use,
} from "./call-pipeline-world.ts";

const approve = { verdict: "approve", channel: "page", by: "operator" } as const;
const args = { tool: "remove", arguments: { key: "a" }, principal: "local", client: "test" };

/** Cancels a call at its nth step. Returns the signal, and how many steps there were at the end. */
function cancelledAt(step: number): { signal: AbortSignal; taken: () => number } {
  const controller = new AbortController();
  let taken = 0;
  const push = steps.push.bind(steps);
  steps.push = (...items) => {
    const length = push(...items);
    if (taken === step) controller.abort(new Error("The caller cancelled."));
    taken += 1;
    return length;
  };
  return { signal: controller.signal, taken: () => taken };
}

const timesRun = () => steps.filter((step) => step.startsWith("execute")).length;
const typesOf = () => audit.events.map(({ type, outcome }) => `${type} ${outcome ?? ""}`.trim());

/** Runs a scenario once for each of its steps, and cancels at that step. */
async function atEachStep(
  scenario: (signal: AbortSignal) => Promise<unknown>,
  check: (step: number) => Promise<void>,
): Promise<number> {
  for (let step = 0; ; step += 1) {
    reset();
    use(tool("remove", seesVersion));
    const { signal, taken } = cancelledAt(step);
    await scenario(signal).catch(() => undefined);
    await audit.flush();
    if (step >= taken()) return step;
    await check(step);
  }
}

describe("a call of high risk that its caller cancels at any step [tickets.once]", () => {
  it("never runs before its approval, and its request is decided later or asked again", async () => {
    const seen = await atEachStep(
      (signal) => calls.call({ ...args, signal }),
      async () => {
        expect(timesRun()).toBe(0);
        expect(typesOf().some((type) => type.startsWith("started"))).toBe(false);
      },
    );
    expect(seen).toBeGreaterThan(3);
  });

  it("runs once or not at all after its approval, and the record says which", async () => {
    const seen = await atEachStep(
      async (signal) => {
        const asked = await calls.call({ ...args, signal: new AbortController().signal });
        if (asked.kind !== "waiting") throw new Error(`It is ${asked.kind}.`);
        await decideTicket(settings, asked.ticket.ticketId, approve);
        await calls.call({ ...args, signal });
      },
      async (step) => {
        const [ticket] = await settings.tickets.list({ limit: 9 });
        const isDone = ticket?.status === "done";
        expect({ step, run: timesRun() }).toEqual({ step, run: isDone ? 1 : 0 });
        const started = typesOf().filter((type) => type.startsWith("started")).length;
        const finished = typesOf().filter((type) => type.startsWith("finished ok")).length;
        expect({ step, started, finished }).toEqual({
          step,
          started: timesRun(),
          finished: timesRun(),
        });
        // A second try finishes what the first left, and runs nothing twice.
        await calls.call({ ...args, signal: new AbortController().signal });
        expect(timesRun()).toBeLessThanOrEqual(1);
      },
    );
    expect(seen).toBeGreaterThan(8);
  });
});
