import { ToolError } from "../../src/core/tool/tool-error.ts";
import type { DiaryEvent } from "../../src/ports/people/diary.ts";
import type { RecentChange } from "../../src/ports/files/recent-changes.ts";
import type { PageRecord } from "../../src/channels/page/record-routes.ts";

/**
 * Creates the record behind the page from lists of the test, newest first. `undone` contains the presses of the button.
 */
export function createFakePageRecord(
  given: {
    events?: readonly DiaryEvent[];
    changes?: readonly RecentChange[];
    /** The file's version now, if it is not the one that the change left. */
    newer?: string;
    /** The people whom an undo may notify. */
    invited?: readonly string[];
  } = {},
): PageRecord & { undone: string[]; restored: string[] } {
  const { events = [], changes = [] } = given;
  const undone: string[] = [];
  const restored: string[] = [];
  const found = (): RecentChange[] =>
    changes.map((change) =>
      change.undo && undone.includes(change.undo.undoId)
        ? { ...change, undo: { ...change.undo, state: "undone" } }
        : change,
    );
  return {
    undone,
    restored,
    diary: {
      events: async ({ principal, limit }) =>
        events
          .filter(({ event }) => principal === undefined || event.principal === principal)
          .slice(0, limit),
    },
    recentChanges: {
      since: async (after) => found().filter(({ seq }) => seq > after),
      newest: async ({ principal, limit }) =>
        found()
          .filter((change) => principal === undefined || change.principal === principal)
          .slice(0, limit),
      head: async () => 0,
    },
    undo: {
      offer: async (undoId) => {
        const change = changes.find(({ undo }) => undo?.undoId === undoId);
        if (change?.undo === undefined)
          throw new ToolError("not_found", "There is no such change.");
        const { principal, sentence, undo } = change;
        const version = given.newer ?? "v1";
        const invited = given.invited ?? [];
        const named = invited.map((value) => ({ label: "people invited", value }));
        const lines = [{ label: "after", value: "3 bytes" }, ...named];
        const facts = { noun: "event", key: "a.md", lines, version, invited };
        const isNewest = given.newer === undefined;
        return { ...undo, principal, sentence, ...facts, isNewest, fingerprint: "AAAA-BBBB" };
      },
      undo: async (undoId, { version }) => {
        if (undone.includes(undoId)) throw new ToolError("conflict", "It has already been undone.");
        undone.push(undoId);
        restored.push(version);
        return { sentence: "put it back" };
      },
    },
  };
}
