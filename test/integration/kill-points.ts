/** Right after which step a process is killed. */
export const killPoints = [
  "opened",
  "asked",
  "decided",
  "claimed",
  "started",
  "executed",
  "finished",
  "delivered",
] as const;
export type KillPoint = (typeof killPoints)[number];
