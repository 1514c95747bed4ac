import type { Requirement } from "./requirement.ts";

/** The requirements for undo, the audit record and the diary. */
export const recordRequirements: readonly Requirement[] = [
  {
    id: "undo.restores",
    sentence: "A replaced or deleted file can be restored, and a created file removed.",
  },
  {
    id: "undo.nothing-newer",
    sentence: "Undo replaces no version of a file but the one that was just shown.",
  },
  {
    id: "undo.budget",
    sentence:
      "Copies for undo have a byte limit for each caller. A version of the user's is never removed, and a replacement over the limit needs approval.",
  },
  {
    id: "undo.events",
    sentence: "A changed or deleted event is restored byte for byte.",
  },
  { id: "undo.once", sentence: "A change is undone once." },
  { id: "undo.audited", sentence: "Undo is recorded with the person and the approval channel." },
  { id: "undo.durable", sentence: "A change that can be undone is recorded before it is made." },
  { id: "undo.person", sentence: "Only an authenticated person can undo, and no model can." },
  { id: "undo.expires", sentence: "Copies for undo are removed when their time has ended." },
  {
    id: "audit.verify",
    sentence: "`audit verify` finds the place where the record was tampered with.",
  },
  {
    id: "audit.requests",
    sentence:
      "`audit verify` names each approval request that was changed, inserted or removed without the record.",
  },
  {
    id: "audit.heads",
    sentence:
      "The record's head is stored outside of the database, hourly and at the end, and compared.",
  },
  {
    id: "audit.keys",
    sentence: "Events of another installation are verified with its key, or not at all.",
  },
  {
    id: "audit.retention",
    sentence: "Old events are removed from the start of the record, before a signed checkpoint.",
  },
  { id: "audit.list", sentence: "`audit list --json` streams every event." },
  { id: "activity.diary", sentence: "`activity` shows what happened in plain words, by day." },
  {
    id: "activity.clean",
    sentence: "No untrusted text can pass for a line of the diary.",
  },
  { id: "activity.bounded", sentence: "A long diary is cut, and says so." },
  {
    id: "activity.channels",
    sentence:
      "Calls that ran without approval are shown on the page and in a watched list, with Undo.",
  },
  {
    id: "activity.own",
    sentence: "An approver sees the activity of the callers that they decide for.",
  },
];
