import type { Requirement } from "./requirement.ts";

/** How people decide. */
export const channelRequirements: readonly Requirement[] = [
  { id: "channels.first-wins", sentence: "The first decision wins and closes the other channels." },
  {
    id: "directions.true",
    sentence: "Every text names only the approval channels that exist here for this caller.",
  },
  {
    id: "elicitation.approve",
    sentence: "A dialog shows what will happen, and approving does it once.",
  },
  { id: "elicitation.deny", sentence: "A denial in a dialog is final for the call." },
  {
    id: "elicitation.asked-once",
    sentence: "Declined means not here: the request stays open, and no second dialog is shown.",
  },
  {
    id: "elicitation.no-answer",
    sentence: "A dialog that was answered with nothing is shown once more, and not a third time.",
  },
  {
    id: "elicitation.three-lines",
    sentence:
      "A dialog's first three lines contain the effect, the most important facts and the fingerprint.",
  },
  {
    id: "elicitation.client-name",
    sentence: "A client's name is quoted, last, and cannot imitate or overflow other text.",
  },
  {
    id: "denial.note",
    sentence: "A denial can contain a sentence, which the assistant receives as the user's words.",
  },
  {
    id: "denial.may-ask-again",
    sentence: "A denial can let the assistant ask again about the same target with changes.",
  },
  {
    id: "elicitation.state",
    sentence: "No answer counts without our own state, for this caller, tool and arguments.",
  },
  { id: "elicitation.single-use", sentence: "An answer's state counts once." },
  { id: "elicitation.deadline", sentence: "With a 2025-era dialog the call returns within 45 s." },
  {
    id: "terminal.shows-facts",
    sentence: "The terminal channel shows the person the target's present state.",
  },
  {
    id: "approvers.scope",
    sentence: "An approver decides the requests of the caller of the same name, `operator` all.",
  },
  { id: "approvers.disjoint", sentence: "Callers and approvers never share a secret." },

  // Telegram
  {
    id: "telegram.push",
    sentence:
      "A request arrives immediately if the client has no dialog, otherwise after 30 s or a decline.",
  },
  {
    id: "telegram.decides",
    sentence: "A press of a listed person in a listed private chat decides, once.",
  },
  {
    id: "telegram.edited",
    sentence: "The message shows the outcome of its request, and a late press gets a notice.",
  },
  {
    id: "telegram.others",
    sentence: "A press of any other person neither counts nor gets an answer.",
  },
  {
    id: "telegram.once",
    sentence: "Buttons survive a restart, and an event that is delivered again counts once.",
  },
  {
    id: "mail.notices",
    sentence:
      "New mail is announced once, combined into one message if it is much, and delays no mail.",
  },
  {
    id: "telegram.changes",
    sentence:
      "Calls that ran without approval are reported once and across restarts, many in one message.",
  },
  {
    id: "telegram.undo",
    sentence: "A press undoes the change that its button names, and the message shows the outcome.",
  },
  { id: "telegram.stop", sentence: "`/stop` pauses everything, `/start` resumes, on record." },
  {
    id: "telegram.similar",
    sentence:
      "If similar calls can be allowed, the message describes them, and a button allows them.",
  },
  {
    id: "telegram.people",
    sentence: "A named person is notified of their own requests and decides them.",
  },
  {
    id: "telegram.plain",
    sentence: "Nothing in a message is a link or markup, and one that is too long says so.",
  },
  {
    id: "telegram.faults",
    sentence: "A failure of Telegram delays nothing, is retried and reveals no secret.",
  },
];
