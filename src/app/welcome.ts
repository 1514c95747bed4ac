import { ConfigError } from "../config/config-error.ts";
import { stateOf } from "../setup/conversation.ts";
import { rows } from "./command-line/help-text.ts";
import { askLine } from "./platform/ask-line.ts";
import { ownCommand } from "./platform/own-command.ts";
import { peekSettings } from "./platform/settings.ts";
import { version } from "./platform/version.ts";

const firstCommands = [
  ["init", "asks what you want to set up, tries it, and writes the settings"],
  ["demo", "shows mail, tools and approvals in a minute; needs no account"],
  ["doctor", "tries every connection, and says what to repair"],
  ["serve", "what an MCP client runs; without a terminal it is the default"],
  ["--help", "lists all commands"],
] as const;

/** Introduces the program and shows what is configured, after the bare command name. Returns the person's choice. */
export async function welcome(): Promise<"init" | "nothing"> {
  const { lines, isConfigured } = state();
  const help = [
    `Countersign ${version()} is an MCP server that you host yourself. It gives an assistant the mail you`,
    "forward to it, one calendar, files and web search. High-risk calls run only after you approve them.",
    "",
    ...lines,
    "",
    `Commands, as in: ${ownCommand()} demo`,
    rows(firstCommands, 8),
  ];
  console.log(help.join("\n"));
  if (isConfigured || !process.stdout.isTTY) return "nothing";
  const typed = await askLine("\nNothing is configured. Run init now? (y/N) ");
  return /^y(?:es)?$/i.test(typed?.trim() ?? "") ? "init" : "nothing";
}

function state(): { lines: readonly string[]; isConfigured: boolean } {
  try {
    const place = peekSettings();
    const complete = stateOf(place).filter(({ lacks }) => lacks.length === 0);
    const names = complete.map(({ capability }) => capability.connection);
    return {
      lines: [
        `Settings: ${place.file}`,
        `Configured: ${names.length === 0 ? "nothing yet; files and the import of mail need no settings" : names.join(", ")}`,
      ],
      isConfigured: names.length > 0,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { lines: [error.message], isConfigured: true };
  }
}
