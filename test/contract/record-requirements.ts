import type { Requirement } from "./requirement.ts";

/** The requirements for undo, the audit record and the diary. */
export const recordRequirements: readonly Requirement[] = [
  {
    id: "undo.restores",
    sentence: "A replaced, deleted or created file can be put back as it was.",
  },
  {
    id: "undo.nothing-newer",
    sentence: "Undo replaces no version of a file but the one that was just shown.",
  },
  {
    id: "undo.budget",
    sentence:
      "Copies for undo have a byte budget for each caller; a version of the user's never gives way, and a replacement over the budget asks.",
  },
  {
    id: "undo.events",
    sentence: "A changed or deleted event is restored byte for byte.",
  },
  { id: "undo.once", sentence: "A change is undone once." },
  { id: "undo.audited", sentence: "Undo is on record with who did it and where." },
  { id: "undo.durable", sentence: "What can be undone is written down before it is done." },
  { id: "undo.person", sentence: "Only a person who has proved it undoes; no model can." },
  { id: "undo.expires", sentence: "What is kept for undo goes when its time is over." },
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
      "The record's head is kept outside of the database, hourly and at the end, and compared.",
  },
  {
    id: "audit.keys",
    sentence: "Events of another installation are judged with its key, or not at all.",
  },
  {
    id: "audit.retention",
    sentence: "Old events are removed from the front, behind a signed checkpoint.",
  },
  { id: "audit.list", sentence: "`audit list --json` streams every event." },
  { id: "activity.diary", sentence: "`activity` tells what happened in plain words, by day." },
  {
    id: "activity.clean",
    sentence: "Nothing that strangers wrote can pass for a line of the diary.",
  },
  { id: "activity.bounded", sentence: "A long diary is cut, and says so." },
  {
    id: "activity.channels",
    sentence:
      "What was done without asking stands at the page and in a list that is watched, with Undo.",
  },
  { id: "activity.own", sentence: "An approver sees what happened to those that one decides for." },
];
