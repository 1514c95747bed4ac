import type { Config } from "../../../config.ts";
import { fingerprintOf } from "../../../core/shared/digest.ts";
import { resumeAll, setPause, whyPaused } from "../../../core/approvals/pause.ts";
import { type Pause, everybody } from "../../../core/approvals/ticket.ts";
import { moment } from "../../../review/words.ts";
import type { Stores } from "../../compose/open/open-stores.ts";
import { provenPerson } from "../../page/proven-person.ts";

/** Pauses or resumes calls that need approval, for one caller or, without a name, for all. */
export async function pauseFromTerminal(
  action: "pause" | "resume",
  scope: string | undefined,
  config: Config,
  stores: Stores,
  { json, secretStdin }: { json: boolean; secretStdin: boolean },
): Promise<number> {
  const pauses = await stores.tickets.pauses();
  const principal = scope ?? everybody;
  const whose = scope === undefined ? "everything" : `everything of ${scope}`;
  const now = pauses.map(formatPause);
  const fingerprint = fingerprintOf(`${action} ${principal}`, now.join("\n"));
  const by = await provenPerson(
    {
      principal,
      fingerprint,
      inFull: [`${action} ${whose}`, ...now, `fingerprint ${fingerprint}`].join("\n  "),
      question: `Type the fingerprint to ${action} ${whose}`,
      nothing: "Nothing was changed.",
    },
    { approvers: config.approvals.approvers, secretStdin },
  );
  const channel = "terminal" as const;
  if (action === "pause") await setPause(stores, { scope: principal, by, paused: true, channel });
  else {
    const mayResume = (paused: string): boolean => scope === undefined || paused === scope;
    await resumeAll(stores, { mayResume, scope: principal, by, channel });
  }
  const left = await stores.tickets.pauses();
  if (json) for (const pause of left) console.log(JSON.stringify(pauseToJson(pause)));
  else console.log(left.length === 0 ? "Nothing is paused." : left.map(formatPause).join("\n"));
  return 0;
}

export function formatPause({ scope, by, at, reason }: Pause): string {
  const whose = scope === everybody ? "everything" : `everything of ${scope}`;
  const why = reason === "person" ? `by ${by}` : `${whyPaused}, the last by ${by}`;
  return `Paused: ${whose}, ${moment(at)}, ${why}.`;
}

function pauseToJson({ at, ...pause }: Pause): Record<string, unknown> {
  return { ...pause, at: at.toISOString() };
}
