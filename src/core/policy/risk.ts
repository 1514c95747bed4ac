/** How much a call may do before a person is involved (PRODUCT section 1). */
export type Risk = "low" | "medium" | "high";

/** What a tool declares: `dynamic` means that its `prepare` computes the risk of each call. */
export type DeclaredRisk = Risk | "dynamic";

const order: Record<Risk, number> = { low: 0, medium: 1, high: 2 };

/** The stricter of two risks. */
export function stricter(a: Risk, b: Risk): Risk {
  return order[a] >= order[b] ? a : b;
}
