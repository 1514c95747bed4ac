import type { Risk } from "./risk.ts";

/** One call as the budgets count it. Joining an open ticket, an answer round and `check_approval` are not counted. */
export interface Spending {
  principal: string;
  tool: string;
  risk: Risk;
  /** The trace id of `traceparent`, where the client sends one. */
  turn: string | undefined;
}

/** The one place where calls are counted against the limits of PRODUCT section 3. */
export interface Budget {
  /** Throws `budget_exceeded`, with when to try again. */
  spend(spending: Spending): void;
}

/** Counts nothing: for a composition without limits. */
export const noLimits: Budget = { spend: () => undefined };
