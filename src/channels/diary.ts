import { channelPlaces } from "../core/approvals/directions.ts";
import { quotedClient } from "../core/shared/text/client-name.ts";
import { oneLine } from "../core/shared/text/clean-text.ts";
import { inMachineZone } from "../core/shared/time-zone.ts";
import type { AuditEvent } from "../core/audit/audit.ts";
import { type ApprovalChannel, everybody } from "../core/approvals/ticket.ts";
import { isErrorKind } from "../core/tool/tool-error.ts";
import type { DiaryEvent } from "../ports/people/diary.ts";
import type { RecentChange } from "../ports/files/recent-changes.ts";
import { isChannel, formatReason, withLocalTimes } from "./words.ts";

/** Characters per entry, so that untrusted text cannot fill the page. */
const maxCharacters = 300;

/** One line of the activity list. Its texts are cleaned, and its times are in this machine's zone. */
export interface DiaryEntry {
  at: Date;
  who: string;
  text: string;
  /** The name that the client chose for itself, quoted. Absent for actions of a person. */
  client?: string;
  /** The number of consecutive repetitions. */
  times: number;
  principal: string;
  undo?: RecentChange["undo"];
}

export interface DiaryDay {
  /** Formatted as `Sunday 22 November 2026`. */
  day: string;
  entries: readonly DiaryEntry[];
}

/**
 * Groups events by day, each day in chronological order.
 * @param events newest first
 */
export function diaryOf(events: readonly DiaryEvent[]): readonly DiaryDay[] {
  const ended = new Set(
    events.flatMap(({ event }) => (event.type === "finished" ? [event.callId] : [])),
  );
  const days: { day: string; entries: DiaryEntry[] }[] = [];
  for (const found of events.toReversed()) {
    const entry = entryOf(found, ended);
    if (entry === undefined) continue;
    const day = dayFace(entry.at);
    if (days.at(-1)?.day !== day) days.push({ day, entries: [] });
    const entries = days.at(-1)?.entries ?? [];
    const previous = entries.at(-1);
    if (previous !== undefined && isSame(previous, entry)) previous.times += 1;
    else entries.push(entry);
  }
  return days;
}

/** Formats a change like the activity list does, for reports in approval channels. */
export function formatChange({ client, principal, sentence, undoes }: RecentChange): string {
  // Only people undo changes. A client may use the name of a channel.
  const isPerson = undoes !== undefined && isChannel(client);
  const text = clean(sentence);
  return isPerson
    ? `${clean(principal)} ${text}`
    : formatTold({ who: clean(program(client, principal)), text, ...through(client, principal) });
}

/** Joins the parts of an entry. The client's name is last, because the client chose it. */
export function formatTold({ who, text, client }: Told, times = 1): string {
  const often = times > 1 ? ` (${times} times)` : "";
  return `${who} ${text}${often}${client === undefined ? "" : ` (${client})`}`;
}

const dayFace = inMachineZone({
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

function entryOf(found: DiaryEvent, ended: ReadonlySet<string>): DiaryEntry | undefined {
  const { event, undo } = found;
  if (event.type === "started" && ended.has(event.callId)) return undefined;
  const said =
    event.type === "decided" || event.tool === "undo" ? byPerson(found) : byProgram(found);
  const { at, principal } = event;
  const { who, text, client } = said;
  return {
    at,
    who: clean(who),
    text: clean(text),
    ...(client !== undefined && { client }),
    times: 1,
    principal,
    ...(undo && { undo }),
  };
}

function isSame(one: DiaryEntry, other: DiaryEntry): boolean {
  if (one.undo !== undefined || other.undo !== undefined) return false;
  return one.who === other.who && one.text === other.text && one.client === other.client;
}

/** `approve (page, alice)`, as approval channels write it. */
const byChannel = /^(.+?) \((\w+), (.+)\)$/s;

function channelOf(
  event: AuditEvent,
): { what: string; channel: ApprovalChannel; by: string } | undefined {
  const [, what = "", channel = "", by = ""] = byChannel.exec(event.outcome ?? "") ?? [];
  return isChannel(channel) ? { what, channel, by } : undefined;
}

type Told = Pick<DiaryEntry, "who" | "text" | "client">;

/** Describes an action of a person at an approval channel. */
function byPerson({ event, asked }: DiaryEvent): Told {
  const at = channelOf(event);
  const wanted = event.sentence ?? asked ?? tool(event);
  // A pause after too many denials.
  if (at === undefined && event.tool === "pause") return { who: "Countersign", text: wanted };
  if (at === undefined) return { who: event.principal, text: `${event.outcome ?? ""} ${wanted}` };
  const { what, by, channel } = at;
  // A rule's name is an id, and a rule has no channel.
  const who = channel === "rule" ? "A standing rule" : channel === "elicitation" ? "A client" : by;
  const client =
    channel === "elicitation" ? { client: quotedClient(by.replace(/^client /, "")) } : {};
  const where = channel === "rule" ? "" : ` ${channelPlaces[channel]}`;
  if (event.tool === "undo") return { who, text: formatUndo(event, what, where) };
  if (what === "approve") return { who, text: `approved${where}: ${asked ?? wanted}`, ...client };
  if (what === "deny" || what === "deny, may ask again") {
    const said = [
      ...(what === "deny" ? [] : ["and lets the assistant ask again with changes"]),
      ...(event.sentence === undefined ? [] : [`and ${event.sentence}`]),
    ];
    const text = [`denied${where}: ${asked ?? tool(event)}`, ...said].join(", ");
    return { who, text, ...client };
  }
  return { who, text: `${wanted}${where}` };
}

function formatUndo({ type, sentence = "undo" }: AuditEvent, what: string, where: string): string {
  if (type === "started") return `began to ${sentence}${where}, which was not finished`;
  return what === "ok" ? `${sentence}${where}` : `could not ${sentence}: ${formatReason(what)}`;
}

/** Describes an action of a client, or of a person without a decision. */
function byProgram({ event, asked }: DiaryEvent): Told {
  const { client, principal, type, outcome = "" } = event;
  const place = placeOfPerson(event);
  const who = place === undefined ? program(client, principal) : principal;
  const wanted = asked ?? event.sentence ?? `use "${tool(event)}"`;
  const text = (): string => {
    if (type === "asked") return `asked to ${wanted}`;
    if (type === "started") return `began to ${wanted}, and has not reported back`;
    const before = /^same as before: (\w+)$/.exec(outcome)?.[1];
    if (before !== undefined) return `asked again to ${wanted}${afterwards[before] ?? ""}`;
    if (outcome === "ok") return event.sentence ?? wanted;
    if (outcome === "unknown")
      return `began to ${wanted} and never reported back. Check whether it happened.`;
    if (isErrorKind(outcome)) return `could not ${wanted}: ${formatReason(outcome)}`;
    return `${wanted}${outcome === "" ? "" : `: ${outcome}`}`;
  };
  return place === undefined
    ? { who, text: text(), ...through(client, principal) }
    : { who, text: `${text()} ${place}` };
}

const afterwards: Readonly<Record<string, string>> = {
  pending: ", which still waits",
  running: ", which is still running",
  denied: ", which had been denied",
  done: ", and got the result",
};

/**
 * Returns the place of a person's action, or undefined for a client's. A command such as `mail delete` contains a
 * space, and the name of a tool never does. The name of the client proves nothing.
 */
function placeOfPerson({ client, tool: name }: AuditEvent): string | undefined {
  return name.includes(" ") && isChannel(client) ? channelPlaces[client] : undefined;
}

function program(client: string, principal: string): string {
  if (isOurs(client, principal)) return "Countersign";
  return principal === "local" || principal === everybody
    ? "An assistant"
    : `An assistant of ${principal}`;
}

/** Quotes the client's name, so that it cannot be read as a person or as our own words. */
function through(client: string, principal: string): Pick<Told, "client"> {
  return isOurs(client, principal) ? {} : { client: quotedClient(client) };
}

/** Returns whether this program itself acted. A caller cannot choose this name. */
function isOurs(client: string, principal: string): boolean {
  return client === "countersign" && principal === "countersign";
}

function tool({ tool: name }: AuditEvent): string {
  return name.replaceAll("_", " ");
}

function clean(text: string): string {
  return oneLine(withLocalTimes(text), maxCharacters);
}
