import { dirname } from "node:path";
import type { Config } from "../../../config.ts";
import { escaped } from "../../../core/shared/text/visible.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { cancelledExit, defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, flag, requiredFlag } from "../../command-line/options.ts";
import { usedCredentials } from "../../doctor/credentials.ts";
import { askLine, isAtTerminal } from "../../platform/ask-line.ts";
import { ownCommand } from "../../platform/own-command.ts";
import { loadSettings, readSettings, type SettingsPlace } from "../../platform/settings.ts";
import { isForeign, nothingDeleted, refuseForeign, removeData } from "../../remove/remove-data.ts";

export const command = defineCommand({
  exitCodes: cancelledExit,
  about:
    "Deletes everything that Countersign has stored: mail, files, approvals, the audit record, keys and settings. Stop serve and ingest first. After an interruption, run it again.",
  forms: [
    form({
      options: {
        data: requiredFlag("delete the data; without this option the command deletes nothing"),
        yes: flag("do not ask, for scripts"),
        envFile,
      },
      run: remove,
    }),
  ],
});

/** The word that a person types to confirm. */
const word = "delete";

async function remove(options: {
  data: boolean;
  yes: boolean;
  envFile: string | undefined;
}): Promise<number> {
  const { envFile: file, yes } = options;
  const seen = loadSettings({ envFile: file, leavesDirectory: true });
  refuseForeign(seen);
  if (!yes) await confirm(seen);
  const source = { envFile: file, warn: () => undefined, leavesDirectory: isForeign(seen) };
  const config = loadSettings(source);
  const place = readSettings(source);
  // The settings name the credentials, and are deleted below.
  const credentials = usedCredentials(place).filter(({ name }) => name !== "install.key");
  const left = await removeData(config, (line) => console.log(line));
  console.log("What remains:");
  for (const line of remains(config, place, left)) console.log(`- ${line}`);
  for (const { name, revoke } of credentials)
    console.log(`- what ${name} opens. Revoke it ${revoke}.`);
  return 0;
}

async function confirm(config: Config): Promise<void> {
  if (!isAtTerminal()) {
    throw new ToolError(
      "forbidden",
      `Confirm the deletion at a terminal, or use --yes. ${nothingDeleted}`,
    );
  }
  const { database, dataDir, s3 } = config;
  console.log("This permanently deletes:");
  console.log(`- the files of Countersign in ${dataDir}`);
  if (database.kind === "remote")
    console.log(`- its tables in the database on ${new URL(database.url).host}`);
  else if (dirname(database.path) !== dataDir) console.log(`- the database ${database.path}`);
  if (s3 !== undefined) console.log(`- its objects in the bucket ${s3.bucket}`);
  const typed = await askLine(`Type "${word}" to delete it: `);
  if (typed === undefined) throw new ToolError("cancelled", `Cancelled. ${nothingDeleted}`);
  if (typed.trim() === word) return;
  throw new ToolError("forbidden", `That is not "${word}". ${nothingDeleted}`);
}

function remains(
  { dataDir, s3, database }: Config,
  { file }: SettingsPlace,
  left: readonly string[],
): readonly string[] {
  const names = left.map((name) => escaped(name)).join(", ");
  return [
    ...(left.length > 0 ? [`in ${dataDir}, which Countersign did not write: ${names}`] : []),
    ...(dirname(file) === dataDir ? [] : [`the settings in ${file}`]),
    ...(s3 === undefined
      ? []
      : [`the bucket ${s3.bucket} itself, and old versions if it keeps them`]),
    ...(database.kind === "file" ? [] : ["the database on the server, without its tables"]),
    `entries in MCP clients. Run: ${ownCommand()} connect --undo`,
    `the service, if you installed it. Run: ${ownCommand()} service uninstall`,
    "backups and copies that you made",
  ];
}
