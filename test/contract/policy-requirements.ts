import type { Requirement } from "./requirement.ts";

/** The requirements for policies and rules. */
export const policyRequirements: readonly Requirement[] = [
  {
    id: "rules.conditions",
    sentence: "A rule's conditions match values and folders exactly, and convert nothing.",
  },
  {
    id: "rules.cover",
    sentence: "A rule has a condition for every argument, including absent ones.",
  },
  { id: "rules.counted", sentence: "A rule never approves more often than it says." },
  {
    id: "rules.ticket",
    sentence: "A call that a rule approves is recorded, runs at most once and is delivered once.",
  },
  {
    id: "rules.similar",
    sentence: "Allow similar: the narrowest rule, shown first, 15 minutes and 5 uses.",
  },
  {
    id: "policy.channels",
    sentence: "A channel decides only what the policy allows it to decide.",
  },
  { id: "policy.reload", sentence: "A policy that becomes narrower applies immediately." },
  {
    id: "policy.refused",
    sentence:
      "A policy file with a fault, or that other users can change, prevents the start, and the error names the place.",
  },
  {
    id: "policy.idle",
    sentence:
      "A rule for an upstream tool that is not reviewed approves nothing, and stops no start.",
  },
  { id: "policy.lists", sentence: "A denied tool is neither listed nor mentioned nor callable." },
  { id: "policy.command", sentence: "`policy` checks, explains, lists and revokes rules." },
  {
    id: "policy.explain-absent",
    sentence: "`policy explain` explains a call whose target is absent.",
  },
  {
    id: "rules.suggest-dialog",
    sentence: "`policy suggest` says that approvals in a client's dialog do not count.",
  },
  {
    id: "rules.suggest",
    sentence: "A suggested rule would have covered three approvals and no denial.",
  },
];
