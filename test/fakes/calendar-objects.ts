import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { CalendarObject, CalendarObjects } from "../../src/ports/calendar/calendar-objects.ts";

export interface FakeCalendarObjects extends CalendarObjects {
  /** The objects as they are kept, for tests that play the user's own calendar program. */
  kept: Map<string, CalendarObject>;
  put(name: string, text: string): void;
  /** The next change is answered so, after it was made (`after`) or instead of it (`before`). */
  failNext(when: "before" | "after", error: ToolError): void;
}

/** Creates one calendar in memory. It filters nothing by time, which the port allows. */
export function createFakeCalendarObjects(name = "Assistant"): FakeCalendarObjects {
  const kept = new Map<string, CalendarObject>();
  let versions = 0;
  let failure: { when: "before" | "after"; error: ToolError } | undefined;

  function put(objectName: string, text: string): void {
    versions += 1;
    kept.set(objectName, { name: objectName, etag: `"v${versions}"`, text });
  }

  function change(work: () => void): void {
    const failing = failure;
    failure = undefined;
    if (failing?.when !== "before") work();
    if (failing !== undefined) throw failing.error;
  }

  function mustBe(objectName: string, etag: string): void {
    if (kept.get(objectName)?.etag !== etag) throw conflict();
  }

  return {
    kept,
    put,
    failNext: (when, error) => void (failure = { when, error }),
    check: async () => ({ isReadOnly: false }),
    facts: async () => ({ name, timeZone: "Europe/Berlin" }),
    between: async () => [...kept.values()],
    names: async () => [...kept.keys()],
    get: async (objectName) => kept.get(objectName),
    create: async (objectName, text) =>
      change(() => {
        if (kept.has(objectName)) throw conflict();
        put(objectName, text);
      }),
    replace: async (objectName, text, { etag }) =>
      change(() => {
        mustBe(objectName, etag);
        put(objectName, text);
      }),
    remove: async (objectName, { etag }) =>
      change(() => {
        mustBe(objectName, etag);
        kept.delete(objectName);
      }),
  };
}

function conflict(): ToolError {
  return new ToolError("conflict", "The calendar has changed. Nothing was done.");
}
