import type { Command } from "./command-line/define-command.ts";

interface CommandRow {
  name: string;
  summary: string;
  /** Loads the rest of the declaration and the code. */
  load: () => Promise<{ command: Command }>;
}

/** Commands are imported when called, because every client starts a stdio server and waits for it. */
export const commands: readonly CommandRow[] = [
  {
    name: "serve",
    summary: "serve MCP over stdio or HTTP",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "ingest",
    summary: "receive mail and make it searchable",
    load: () => import("./commands/ingest.ts"),
  },
  {
    name: "import",
    summary: "import mail from files",
    load: () => import("./commands/import.ts"),
  },
  {
    name: "mail",
    summary: "list mail, and release, retry or delete it",
    load: () => import("./commands/mail.ts"),
  },
  {
    name: "init",
    summary: "ask for settings, try them and write .env",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "connect",
    summary: "add this server to the MCP clients on this machine, or remove it",
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "service",
    summary: "run ingest in the background at each login",
    load: () => import("./commands/service.ts"),
  },
  {
    name: "doctor",
    summary: "try every connection and say what to change",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "approvals",
    summary: "list approval requests, and approve or deny them",
    load: () => import("./commands/approvals.ts"),
  },
  {
    name: "clients",
    summary: "list clients that signed in with OAuth, and revoke their access",
    load: () => import("./commands/clients.ts"),
  },
  {
    name: "passkeys",
    summary: "list the passkeys of approvers, and remove them",
    load: () => import("./commands/passkeys.ts"),
  },
  {
    name: "policy",
    summary: "check and explain the policy file, and list, revoke or suggest rules",
    load: () => import("./commands/policy.ts"),
  },
  {
    name: "servers",
    summary: "add, review and list upstream MCP servers, whose tools are offered after a review",
    load: () => import("./commands/servers.ts"),
  },
  {
    name: "activity",
    summary: "show what happened, as a diary",
    load: () => import("./commands/activity.ts"),
  },
  {
    name: "undo",
    summary: "restore files and events that a call changed",
    load: () => import("./commands/undo.ts"),
  },
  {
    name: "audit",
    summary: "list the audit record, and verify that it is complete",
    load: () => import("./commands/audit.ts"),
  },
  {
    name: "backup",
    summary: "write everything that is stored into one encrypted file",
    load: () => import("./commands/data/backup.ts"),
  },
  {
    name: "restore",
    summary: "restore a backup into an empty data directory",
    load: () => import("./commands/data/restore.ts"),
  },
  {
    name: "copy",
    summary: "copy everything that is stored to another database and object store",
    load: () => import("./commands/data/copy.ts"),
  },
  {
    name: "remove",
    summary: "delete everything that is stored, and say what remains",
    load: () => import("./commands/data/remove.ts"),
  },
  {
    name: "catalog",
    summary: "show the tools with documentation and schemas, for providers of models",
    load: () => import("./commands/catalog.ts"),
  },
  {
    name: "chat",
    summary: "talk to the assistant in this terminal",
    load: () => import("./commands/chat.ts"),
  },
  {
    name: "demo",
    summary: "show mail, tools and approvals in a minute, in a temporary directory",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "attack",
    summary: "run attack scenarios against this server, and report which were stopped",
    load: () => import("./commands/attack.ts"),
  },
];
