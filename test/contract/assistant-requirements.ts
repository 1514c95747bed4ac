import type { Requirement } from "./requirement.ts";

/** The promises about the assistant without a client. */
export const assistantRequirements: readonly Requirement[] = [
  {
    id: "assistant.chat",
    sentence: "The assistant in a terminal calls tools through the same pipeline as a client.",
  },
  {
    id: "files.search",
    sentence: "search_files finds the words of files and documents as they are now.",
  },
  {
    id: "assistant.notify",
    sentence: "The assistant writes to the caller's own chat alone, as itself, at a limited rate.",
  },
  {
    id: "assistant.expiry",
    sentence: "A stored conversation is bounded in tokens and in age, and a person can delete it.",
  },
  {
    id: "assistant.telegram",
    sentence: "Approvers talk to the assistant in their private chats, and no other person does.",
  },
  {
    id: "assistant.digest",
    sentence: "A digest is sent once a day, late if it was missed, and only if it has content.",
  },
  {
    id: "assistant.reminders",
    sentence:
      "One process delivers a reminder. A late one says so, and so does one that may have been sent before a crash.",
  },
];
