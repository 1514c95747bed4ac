import type { Config } from "../../../config.ts";
import { fingerprintOf } from "../../../core/shared/digest.ts";
import {
  everythingOf,
  resumeAll,
  setPause,
  whoIn,
  whyPaused,
} from "../../../core/approvals/pause.ts";
import { type Pause, everybody } from "../../../core/approvals/ticket.ts";
import { formatMoment } from "../../../channels/words.ts";
import type { Stores } from "../../compose/open/open-stores.ts";
import { provenPerson } from "../../approvals/proven-person.ts";

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
  const whose = everythingOf(principal);
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
  const did: string[] = [];
  if (action === "pause") await setPause(stores, { scope: principal, by, paused: true, channel });
  else {
    const mayResume = (paused: string): boolean => scope === undefined || paused === scope;
    const resumed = await resumeAll(stores, { mayResume, scope: principal, by, channel });
    did.push(formatResumed(resumed, principal));
  }
  const left = await stores.tickets.pauses();
  if (json) for (const pause of left) console.log(JSON.stringify(pauseToJson(pause)));
  else {
    const state = left.length === 0 ? ["Nothing is paused."] : left.map(formatPause);
    console.log([...did, ...state].join("\n"));
  }
  return 0;
}

/** Formats what a resume did. Without a pause it only resets limits. */
function formatResumed(resumed: readonly string[], scope: string): string {
  const scopes = resumed.length > 0 ? resumed : [scope];
  const limits = `Reset the call limits of ${scopes.map(whoIn).join(", ")}.`;
  return resumed.length === 0
    ? limits
    : `Resumed ${scopes.map(everythingOf).join(" and ")}. ${limits}`;
}

export function formatPause({ scope, by, at, reason }: Pause): string {
  const why = reason === "person" ? `by ${by}` : `${whyPaused}, the last by ${by}`;
  return `Paused: ${everythingOf(scope)}, ${formatMoment(at)}, ${why}.`;
}

function pauseToJson({ at, ...pause }: Pause): Record<string, unknown> {
  return { ...pause, at: at.toISOString() };
}
