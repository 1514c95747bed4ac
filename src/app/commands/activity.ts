import { parseArgs } from "node:util";
import { diaryOf } from "../../review/diary.ts";
import { dayAsData, dayInWords, zoneInWords } from "../../review/diary-lines.ts";
import { createLog } from "../platform/log.ts";
import { ownCommand } from "../platform/own-command.ts";
import { openStores } from "../compose/open-stores.ts";
import { loadSettings } from "../platform/settings.ts";

export const usage = `Usage: countersign activity [--today|--week] [--limit N] [--json]

What happened, as a diary, in the time zone of this computer.

  --today          since midnight; without an option, too
  --week           today and the six days before
  --limit N        events read at most, the newest (2000)
  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** Events read where nothing is said, and at most: more is read by nobody. */
const limits = { usual: 2_000, most: 100_000 };

export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      today: { type: "boolean", default: false },
      week: { type: "boolean", default: false },
      limit: { type: "string", default: String(limits.usual) },
      json: { type: "boolean", default: false },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const limit = /^[1-9]\d{0,5}$/.test(values.limit) ? Number(values.limit) : NaN;
  if (values.help || (values.today && values.week) || !(limit <= limits.most)) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const stores = openStores(config, createLog(config.logLevel));
  try {
    const found = await stores.diary.events({ from: midnight(values.week ? 6 : 0), limit });
    const days = diaryOf(found);
    for (const day of days) {
      console.log((values.json ? dayAsData(day) : dayInWords(day, ownCommand())).join("\n"));
    }
    if (values.json) return 0;
    if (days.length === 0) console.log("Nothing happened.");
    else console.log(`Times are those of this computer (${zoneInWords()}).`);
    if (found.length === limit) {
      console.log(
        `Only the newest ${limit} events were read: --limit N reads more, and ${ownCommand()} audit list prints all.`,
      );
    }
    return 0;
  } finally {
    await stores.close();
  }
}

/** The beginning of a day of this computer's time zone, so many days ago. */
function midnight(daysAgo: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}
