/** How much a call may do before a person is involved. */
export type Risk = "low" | "medium" | "high";

/** The risk in a tool's contract. With `dynamic`, its `prepare` computes the risk of each call. */
export type DeclaredRisk = Risk | "dynamic";

const order: Record<Risk, number> = { low: 0, medium: 1, high: 2 };

/** Returns the stricter of two risks. */
export function stricter(a: Risk, b: Risk): Risk {
  return order[a] >= order[b] ? a : b;
}
