import { diaryOf } from "../../channels/diary.ts";
import { dayToJson, formatDay, formatZone } from "../../channels/diary-lines.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { count, envFile, flag, json } from "../command-line/options.ts";
import { ownCommand } from "../platform/own-command.ts";
import { printLines } from "../platform/print-lines.ts";
import { withStores } from "../compose/with-stores.ts";

/** Default and largest number of events. A person reads no more. */
const limits = { initial: 2_000, most: 100_000 };

export const command = defineCommand({
  about: "Shows what happened, as a diary, in your time zone (see TZ).",
  forms: [
    form({
      options: {
        today: flag("since midnight; this is the default"),
        week: flag("today and the six days before"),
        limit: count(limits, "read at most N events, newest first"),
        json,
        envFile,
      },
      conflicts: [["today", "week"]],
      run: show,
    }),
  ],
});

async function show(options: {
  week: boolean;
  limit: number;
  json: boolean;
  envFile: string | undefined;
}): Promise<number> {
  const { limit } = options;
  return await withStores(options.envFile, async ({ stores }) => {
    const found = await stores.diary.events({ from: midnight(options.week ? 6 : 0), limit });
    const days = diaryOf(found);
    for (const day of days) {
      if (options.json) console.log(dayToJson(day).join("\n"));
      else printLines(formatDay(day, ownCommand()).join("\n"));
    }
    if (options.json) return 0;
    if (days.length === 0) console.log("Nothing happened.");
    else console.log(`Times are those of this computer (${formatZone()}).`);
    if (found.length === limit) {
      console.log(
        `Only the newest ${limit} events were read: --limit N reads more, and ${ownCommand()} audit list prints all.`,
      );
    }
    return 0;
  });
}

/** Returns the start of the day `daysAgo` days before today, in this computer's time zone. */
function midnight(daysAgo: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}
