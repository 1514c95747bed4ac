import { ToolError } from "../core/tool/tool-error.ts";
import type {
  Calendar,
  CalendarEvent,
  CalendarOptions,
  EventMaker,
  NewEvent,
} from "../ports/calendar/calendar.ts";
import type { CalendarObjects } from "../ports/calendar/calendar-objects.ts";
import type { EventLedger } from "../ports/calendar/event-ledger.ts";
import { fileOf, firstOccurrence, toEvent } from "./find-event.ts";
import { checkedRule, composeEvent, startOf } from "./new-event.ts";
import { type EventName, factsDigest, nameEvent } from "./origin.ts";
import { inZone, type WrittenTime } from "./patch.ts";
import { zoneOf } from "./zone-of.ts";

export interface MakerSettings {
  objects: CalendarObjects;
  ledger: EventLedger;
  key: Uint8Array;
  clock: () => Date;
}

/**
 * Creates events at most once. An event is recorded before the request, confirmed after it, and looked up before a
 * repetition.
 */
export function createMaker(settings: MakerSettings): Pick<Calendar, "preview" | "create"> {
  const { objects, ledger, key, clock } = settings;

  async function made(
    name: EventName,
    event: NewEvent,
    options: CalendarOptions,
  ): Promise<CalendarEvent | undefined> {
    const object = await objects.get(name.objectName, options);
    const file = object && fileOf(object);
    const reader = zoneOf(event.timeZone);
    if (file?.series[0]?.uid !== name.uid) return undefined;
    const found = firstOccurrence(file, reader);
    return found && toEvent(name.objectName, found.occurrence, new Set([name.uid]));
  }

  /**
   * Returns the event that was created with this key before.
   * @throws {ToolError} `conflict` if it was another event or has been deleted
   */
  async function earlier(
    name: EventName,
    event: NewEvent,
    maker: EventMaker,
    options: CalendarOptions,
  ): Promise<CalendarEvent | undefined> {
    if (maker.idempotencyKey === undefined) return undefined;
    const [entry] = await ledger.find([name.uid]);
    if (entry === undefined) return undefined;
    if (entry.digest !== factsDigest(event)) {
      throw new ToolError(
        "conflict",
        "This idempotencyKey was used for another event. Nothing was created.",
        { hint: "Use a new key for a new event." },
      );
    }
    const found = await made(name, event, options);
    if (found !== undefined || !entry.confirmed) return found;
    throw new ToolError(
      "conflict",
      "The event of this idempotencyKey was created before and was deleted later. Nothing was created.",
      { hint: "Use a new key if the user wants it again." },
    );
  }

  return {
    preview: async (event, maker, options = {}) => {
      const text = compose(event, "preview", clock());
      const reader = zoneOf(event.timeZone);
      const file = fileOf({ name: "preview", etag: "", text });
      const first = file && firstOccurrence(file, reader);
      if (first === undefined) throw notAnEvent();
      return {
        earlier: await earlier(nameEvent(key, maker), event, maker, options),
        first: toEvent("preview", first.occurrence, new Set()).time,
      };
    },
    create: async (event, maker, options = {}) => {
      const name = nameEvent(key, maker);
      const text = compose(event, name.uid, clock());
      const before = await earlier(name, event, maker, options);
      if (before !== undefined) {
        await ledger.confirm(name.uid);
        return before;
      }
      await ledger.record({
        uid: name.uid,
        principal: maker.principal,
        seed: name.seed,
        digest: factsDigest(event),
      });
      try {
        await objects.create(name.objectName, text, options);
      } catch (thrown) {
        const found = await afterFailure(name, event, thrown, options);
        if (found === undefined) throw thrown;
        return found;
      }
      await confirmed(name.uid);
      const file = fileOf({ name: name.objectName, etag: "", text });
      const first = file && firstOccurrence(file, zoneOf(event.timeZone));
      if (first === undefined) throw notAnEvent();
      return toEvent(name.objectName, first.occurrence, new Set([name.uid]));
    },
  };

  /**
   * Looks the object up after a failure. An object with that name and our UID is the event, whichever process created
   * it.
   */
  async function afterFailure(
    name: EventName,
    event: NewEvent,
    thrown: unknown,
    options: CalendarOptions,
  ): Promise<CalendarEvent | undefined> {
    if (!(thrown instanceof ToolError) || thrown.sideEffects === "unknown") return undefined;
    const found = thrown.kind === "conflict" ? await made(name, event, options) : undefined;
    if (found === undefined) await ledger.forget(name.uid);
    else await confirmed(name.uid);
    return found;
  }

  async function confirmed(uid: string): Promise<void> {
    try {
      await ledger.confirm(uid);
    } catch (cause) {
      throw new ToolError(
        "unavailable",
        "The event was created, but it could not be recorded as the assistant's own.",
        { sideEffects: "unknown", hint: "Check the calendar before calling again.", cause },
      );
    }
  }
}

function compose({ title, time, timeZone, recurrence }: NewEvent, uid: string, now: Date): string {
  const own = zoneOf(timeZone);
  const written: WrittenTime = time.allDay
    ? { start: Date.parse(time.start), end: Date.parse(time.end), zone: "date" }
    : inZone(time, { tzid: own.name, zone: own });
  if (recurrence !== undefined && written.zone === "utc") throw secondHour();
  const rule = recurrence === undefined ? undefined : checkedRule(recurrence, startOf(written));
  if (/(?:^|;)(?:RSCALE|SKIP)=/.test(rule ?? "")) throw fewServers();
  return composeEvent({ uid, title, time: written, rule, now });
}

/** Refuses RFC 7529: some servers reject such an event, and others can then no longer list the calendar. */
function fewServers(): ToolError {
  return new ToolError(
    "invalid_input",
    "recurrence: many calendar servers do not support RSCALE and SKIP. Nothing was created.",
    { hint: "For the last day of each month use BYMONTHDAY=-1." },
  );
}

/** Refuses a series that only UTC could write: on other days it would be an hour off. */
function secondHour(): ToolError {
  return new ToolError(
    "invalid_input",
    "start: a series cannot start in an hour that clocks show a second time because they are put back. Nothing was created.",
    { hint: "Start the series on another day, or create a single event for this one." },
  );
}

function notAnEvent(): ToolError {
  return new ToolError("invalid_input", "These values do not make an event. Nothing was created.");
}
