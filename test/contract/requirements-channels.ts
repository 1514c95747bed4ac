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
    sentence: "Declined means not here: the request stays, nobody is asked twice.",
  },
  {
    id: "elicitation.no-answer",
    sentence: "A question that is answered with nothing is put once more, and no third time.",
  },
  {
    id: "elicitation.three-lines",
    sentence:
      "A dialog's first three lines hold what happens, the weightiest facts and the fingerprint.",
  },
  {
    id: "elicitation.client-name",
    sentence: "A client's name is quoted, last, and cannot imitate or overflow other text.",
  },
  {
    id: "denial.note",
    sentence: "A denial takes a sentence for the assistant, who gets it as the user's words.",
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
    sentence: "An approver decides its own principal's requests, `operator` all.",
  },
  { id: "approvers.disjoint", sentence: "Who calls and who decides never share a secret." },

  // Telegram
  {
    id: "telegram.push",
    sentence: "A request comes at once where the client cannot ask, else after 30 s or a decline.",
  },
  {
    id: "telegram.decides",
    sentence: "A press of a listed person in a listed private chat decides, once.",
  },
  {
    id: "telegram.edited",
    sentence: "The message says what became of its request, and a late press is told so.",
  },
  { id: "telegram.strangers", sentence: "Nobody else's press counts or gets an answer." },
  {
    id: "telegram.once",
    sentence: "Buttons survive a restart, and an event that is delivered again counts once.",
  },
  {
    id: "mail.notices",
    sentence: "New mail is told of once, in one message where it is much, and holds up no mail.",
  },
  {
    id: "telegram.changes",
    sentence:
      "What was done without asking is told, once and across restarts, many in one message.",
  },
  {
    id: "telegram.undo",
    sentence:
      "A press undoes the change that its button names, and the message says what came of it.",
  },
  { id: "telegram.stop", sentence: "`/stop` pauses everything, `/start` resumes, on record." },
  {
    id: "telegram.similar",
    sentence: "Where similar calls can be allowed the message says what, and a button does it.",
  },
  { id: "telegram.people", sentence: "A named person is told of and decides their own requests." },
  {
    id: "telegram.plain",
    sentence: "Nothing in a message is a link or markup, and one that is too long says so.",
  },
  {
    id: "telegram.faults",
    sentence: "Telegram's failure delays nothing, is waited out and tells no secret.",
  },
];
