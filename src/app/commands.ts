/** One command of the program. `usage` is what `--help` prints. */
interface Command {
  name: string;
  summary: string;
  load: () => Promise<{ run: (argv: string[]) => Promise<number>; usage: string }>;
}

/** Each command is loaded when it is called: a stdio server starts once per client, and its start is felt. */
export const commands: readonly Command[] = [
  {
    name: "serve",
    summary: "speak MCP over stdin and stdout, for a client that starts this program",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "ingest",
    summary: "receive mail and make it findable",
    load: () => import("./commands/ingest.ts"),
  },
  {
    name: "import",
    summary: "take in messages from files",
    load: () => import("./commands/import.ts"),
  },
  {
    name: "mail",
    summary: "look at what came in, and release, retry or delete it",
    load: () => import("./commands/mail.ts"),
  },
  {
    name: "init",
    summary: "ask what you want to set up, try it and write it down",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "doctor",
    summary: "try every connection and say what to mend",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "approvals",
    summary: "look at what was asked for, and approve or deny it",
    load: () => import("./commands/approvals.ts"),
  },
  {
    name: "policy",
    summary: "check, explain, list and suggest rules about calls",
    load: () => import("./commands/policy.ts"),
  },
  {
    name: "activity",
    summary: "show what happened, as a diary",
    load: () => import("./commands/activity.ts"),
  },
  {
    name: "undo",
    summary: "take a change of a file back",
    load: () => import("./commands/undo.ts"),
  },
  {
    name: "audit",
    summary: "list the record of what happened, and verify that nothing is missing from it",
    load: () => import("./commands/audit.ts"),
  },
  {
    name: "catalog",
    summary: "show the tools, their documentation and their schemas for a model's provider",
    load: () => import("./commands/catalog.ts"),
  },
  {
    name: "demo",
    summary: "the whole story in a minute, in a temporary directory",
    load: () => import("./commands/demo.ts"),
  },
];
