import { z } from "zod";
import { shownName } from "../../core/shared/text/visible.ts";
import { internal, ours } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { eventOf } from "../../ports/calendar/event-id.ts";
import { invitedLines } from "../../ports/calendar/invited-people.ts";
import { beyondSpace, noSpaceLeft } from "../undo-space.ts";
import { changeForClient, eventId, scope } from "./event-fields.ts";
import { zoneNamed } from "./event-times.ts";
import { madeBy, ownZone, formatScope, timeHere, timeThere } from "./format-times.ts";

export const deleteEvent = defineTool({
  name: "delete_event",
  title: "Delete an event",
  description: "Delete an event. The user is asked; repeat the call once approved.",
  risk: "high",
  operation: "removes",
  openWorld: true,
  needs: ["calendar"],
  // The whole series, so a denial for one occurrence covers all of them.
  actsOn: ({ eventId: id }) => eventOf(id),
  input: z.strictObject({ eventId, scope }),
  output: z.object({
    id: ours(z.string()).describe("The event"),
    deleted: z.literal(true).describe("Always true"),
    title: internal(z.string()).optional().describe("For the activity list"),
  }),
  prepare: async (args, { ports: { calendar }, principal, signal }) => {
    const { timeZone } = await calendar.about({ signal });
    const options = { scope: args.scope, timeZone, signal };
    const found = await calendar.previewRemoval(args.eventId, options);
    const { event, version, repeats } = found;
    const isKept = await calendar.keepsMore(principal, found.bytes);
    const zone = ownZone(event, zoneNamed(timeZone));
    const when = timeThere(event.time, zone);
    const forYou = timeHere(event.time, zone);
    const mentions = ["eventId", "scope"] as const;
    const others = [madeBy(event), ...(isKept ? [] : [beyondSpace()])];
    const forClient = (name: string): string =>
      `Delete ${name} on ${when}${formatScope(args.scope, args.scope === "all")}`;
    return {
      version,
      ...(!isKept && { onlyPerson: noSpaceLeft }),
      effect: {
        headline: `Delete the event ${shownName(event.title)} on ${when}${formatScope(args.scope, repeats)}`,
        mentions,
        isRecorded: true,
        facts: [...forYou, ...invitedLines(found.invited), ...others],
        forClient: changeForClient(found, forClient, {
          mentions,
          facts: forYou,
          own: [...forYou, ...others],
        }),
      },
    };
  },
  execute: async (args, context) => {
    const { ports, version, signal, principal, callId, isDecided } = context;
    const { calendar } = ports;
    const { timeZone } = await calendar.about({ signal });
    const by = { principal, callId, isDecided };
    const options = { scope: args.scope, timeZone, version: version ?? "", signal, by };
    const { event } = await calendar.find(args.eventId, timeZone, { signal });
    await calendar.remove(args.eventId, options);
    return { id: args.eventId, deleted: true as const, title: event.title };
  },
  text: ({ id }) => ({ facts: `Deleted the event ${id}.` }),
  mentions: ["eventId", "scope"],
  describe: ({ eventId: id, scope: which }, output) =>
    output === undefined
      ? `delete ${formatEvent(id, which)}`
      : `deleted ${formatEvent(output.title === undefined ? id : shownName(output.title), which)}`,
  // The report omits the title, which may be untrusted. The activity list contains it.
  report: ({ eventId: id, scope: which }) => `deleted ${formatEvent(id, which)}`,
});

function formatEvent(name: string, which: "this" | "all"): string {
  return `the ${which === "all" ? "whole series of " : ""}event ${name}`;
}
