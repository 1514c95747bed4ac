import type { Requirement } from "./requirement.ts";

/** The promises about the assistant without a client. */
export const assistantRequirements: readonly Requirement[] = [
  {
    id: "assistant.chat",
    sentence: "The assistant in a terminal calls tools through the same pipeline as a client.",
  },
];
