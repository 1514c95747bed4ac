import { beforeEach, describe, expect, it } from "vitest";
import {
  type Budget,
  type Renewal,
  type SharedCharge,
  type Charge,
  createBudget,
} from "../../src/core/budget/budget.ts";
import { ToolError, errorFields } from "../../src/core/tool/tool-error.ts";

const second = 1_000;
const traceId = (number: number): string => number.toString(16).padStart(32, "0");

let at: number;
let shared: SharedCharge[];
let sharedAnswer: () => ReturnType<Parameters<typeof createBudget>[0]["store"]["spend"]>;
let renewal: Renewal;
let budget: Budget;

beforeEach(() => {
  at = 1e6;
  shared = [];
  renewal = { turn: undefined, hour: undefined };
  sharedAnswer = () => Promise.resolve(undefined);
  budget = createBudget({
    limits: { callsPerMinute: 60, callsPerTurn: 40, highPerTurn: 5 },
    store: {
      spend: (charge) => {
        shared.push(charge);
        return sharedAnswer();
      },
      refundApproval: () => Promise.resolve(),
      renewedAgoMs: () => Promise.resolve(renewal),
    },
    here: { page: () => undefined, telegram: () => false, command: "countersign" },
    now: () => at,
    clock: () => new Date(at),
  });
});

const charge = (fields: Partial<Charge> = {}): Charge => ({
  principal: "alice",
  client: "test",
  risk: "low",
  turn: undefined,
  digest: "digest",
  ...fields,
});

/** Spends so often, and says how often that was allowed. */
async function allowed(times: number, fields: (time: number) => Partial<Charge>): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1) {
    try {
      const counted = budget.spend(charge(fields(time)));
      if (counted !== undefined) await counted;
      count += 1;
    } catch {
      // Counted by what is missing.
    }
  }
  return count;
}

async function refusal(spend: () => Promise<void> | undefined): Promise<ToolError> {
  try {
    await spend();
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error("It was allowed.");
}

describe("calls of low risk", () => {
  it("are limited to 60 a minute [budget.minute]", async () => {
    expect(await allowed(100, (time) => ({ turn: traceId(time) }))).toBe(60);
    const error = errorFields(await refusal(() => budget.spend(charge({ turn: traceId(1_000) }))));
    expect(error).toMatchObject({ kind: "budget_exceeded", retryable: true, sideEffects: "none" });
    expect(error.message).toBe(
      "At most 60 calls a minute are allowed, and they are used up. Nothing was done. The next one is possible at 00:17:41 UTC.",
    );
    at += (error.retryAfterSeconds ?? 0) * second;
    expect(await allowed(100, (time) => ({ turn: traceId(2_000 + time) }))).toBe(60);
  });

  it("are counted for each caller separately [budget.minute]", async () => {
    expect(await allowed(100, (time) => ({ turn: traceId(time) }))).toBe(60);
    expect(await allowed(100, (time) => ({ turn: traceId(time), principal: "bob" }))).toBe(60);
  });

  it("are limited to 40 per trace id [budget.turn]", async () => {
    const turn = traceId(1);
    expect(await allowed(50, () => ({ turn }))).toBe(40);
    expect(await allowed(10, () => ({ turn: traceId(2) }))).toBe(10);
    at += 61 * second;
    const error = await refusal(() => budget.spend(charge({ turn })));
    expect(error.message).toContain("At most 40 calls are allowed for one turn");
    expect(error.hint).toContain("Tell the user what is done and what is missing");
    at += (error.retryAfterSeconds ?? 0) * second;
    expect(await allowed(1, () => ({ turn }))).toBe(1);
  });

  it("are limited to 40 per turn, which without a trace id ends after 60 s of idle time [budget.turn]", async () => {
    // Slower than the limit of the minute.
    for (let call = 0; call < 40; call += 1) {
      await budget.spend(charge());
      at += 59 * second;
    }
    const error = await refusal(() => budget.spend(charge()));
    expect(error.message).toContain("for one turn");
    expect(error.retryAfterSeconds).toBe(1);
    // Another client of the same caller has turns of its own.
    expect(await allowed(1, () => ({ client: "another" }))).toBe(1);
    at += second;
    expect(await allowed(1, () => ({}))).toBe(1);
  });

  it("that were refused are not counted, and the reported wait is enough [budget.turn]", async () => {
    expect(await allowed(40, () => ({}))).toBe(40);
    for (let wait = 0; wait < 59; wait += 1) {
      await refusal(() => budget.spend(charge()));
      at += second;
    }
    expect((await refusal(() => budget.spend(charge()))).retryAfterSeconds).toBe(1);
    at += second;
    expect(await allowed(1, () => ({}))).toBe(1);
  });
});

describe("the hour of a caller", () => {
  /** The calls that the minute allows, each with a label of its own. */
  const flood = (minute: number): Promise<number> =>
    allowed(60, (time) => ({ turn: traceId(1 + minute * 60 + time) }));

  it("has ten turns' low-risk calls, however they are labelled [budget.hour]", async () => {
    let count = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      count += await flood(minute);
      at += 61 * second;
    }
    expect(count).toBe(400);
    const error = await refusal(() => budget.spend(charge({ turn: traceId(9_999) })));
    expect(error.message).toContain("At most 400 calls an hour are allowed");
    at += (error.retryAfterSeconds ?? 0) * second;
    await budget.spend(charge({ turn: traceId(10_000) }));
  });

  it("restarts when a person resumes it, and a turn restarts with any approval [budget.renewed]", async () => {
    for (let minute = 0; minute < 10; minute += 1) {
      await flood(minute);
      at += 61 * second;
    }
    renewal = { turn: 1, hour: undefined };
    const error = await refusal(() => budget.spend(charge()));
    expect(error.message).toContain("an hour");
    renewal = { turn: 1, hour: 1 };
    const turn = traceId(1);
    expect(await allowed(50, () => ({ turn }))).toBe(40);
    at += 61 * second;
    renewal = { turn: 1, hour: undefined };
    expect(await allowed(50, () => ({ turn }))).toBe(40);
  });
});

describe("calls of medium and high risk", () => {
  it("are counted across all replicas, with the rest after low-risk calls", async () => {
    await allowed(3, () => ({ turn: traceId(1) }));
    await allowed(2, () => ({ turn: traceId(2) }));
    await budget.spend(charge({ risk: "medium", turn: traceId(1) }));
    expect(shared).toMatchObject([
      {
        turn: traceId(1),
        client: undefined,
        left: { minute: 55, turn: 37, high: 5, hour: 395, highHour: 20 },
      },
    ]);
  });

  it("reduce the rest for low-risk calls, even while they are being counted [budget.minute]", async () => {
    const waiting: Promise<void>[] = [];
    for (let call = 0; call < 50; call += 1) {
      waiting.push(Promise.resolve(budget.spend(charge({ risk: "medium", turn: traceId(call) }))));
    }
    expect(await allowed(20, (time) => ({ turn: traceId(100 + time) }))).toBe(10);
    await Promise.all(waiting);
  });

  it("are free if they were refused or the count failed", async () => {
    sharedAnswer = () => Promise.resolve({ high: 12_345 });
    for (let call = 0; call < 70; call += 1) {
      const error = await refusal(() => budget.spend(charge({ risk: "high" })));
      expect(error.retryAfterSeconds).toBe(13);
      expect(error.message).toContain("the user was not asked");
    }
    sharedAnswer = () => Promise.reject(new ToolError("unavailable", "No database."));
    const error = await refusal(() => budget.spend(charge({ risk: "medium" })));
    expect(error.kind).toBe("unavailable");
    expect(await allowed(100, (time) => ({ turn: traceId(time) }))).toBe(60);
  });

  it("continue a turn without a trace id, under one name", async () => {
    await budget.spend(charge({ risk: "medium" }));
    at += 50 * second;
    await budget.spend(charge());
    at += 50 * second;
    await budget.spend(charge({ risk: "medium" }));
    at += 60 * second;
    await budget.spend(charge({ risk: "medium" }));
    expect(shared.map(({ sameTurnWithinMs }) => sameTurnWithinMs)).toEqual([
      60_000, 160_000, 60_000,
    ]);
    expect(shared[1]?.turn).toBe(shared[0]?.turn);
    expect(shared[2]?.turn).not.toBe(shared[0]?.turn);
    expect(shared[0]).toMatchObject({ client: "test" });
  });

  it("that turned out so later are counted once", async () => {
    await budget.spend(charge());
    await budget.raise(charge({ risk: "high" }));
    expect(shared).toMatchObject([
      { risk: "high", left: { minute: 60, turn: 40, high: 5, hour: 400, highHour: 20 } },
    ]);
    expect(await allowed(100, (time) => ({ turn: traceId(time) }))).toBe(59);
  });
});
