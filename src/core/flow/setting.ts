/**
 * The policy's setting for a tool that sends. `ask-if-private`: a person is asked if the text matches private content.
 * `ask-after-private-read`: also if the caller has received any private content.
 */
export type FlowSetting = "ask-if-private" | "ask-after-private-read" | "off";

export const flowSettings = ["ask-if-private", "ask-after-private-read", "off"] as const;

export const defaultFlow: FlowSetting = "ask-if-private";

const order: Record<FlowSetting, number> = {
  off: 0,
  "ask-if-private": 1,
  "ask-after-private-read": 2,
};

/** Returns the setting that asks more often. */
export function stricterFlow(a: FlowSetting, b: FlowSetting): FlowSetting {
  return order[a] >= order[b] ? a : b;
}
