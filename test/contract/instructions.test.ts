import { describe, expect, it } from "vitest";
import { instructions } from "../../src/app/compose/instructions.ts";
import { readRegistry } from "../../src/app/compose/read-registry.ts";

const registry = readRegistry();
const everything = [...registry.values()].map(({ name, risk }) => ({ name, risk }));
const without = (...parts: string[]) =>
  everything.filter(({ name }) => !parts.some((part) => name.includes(part)));

const namesOf = (tools: readonly { name: string }[]) => new Set(tools.map(({ name }) => name));

describe("the server's instructions [docs.instructions]", () => {
  it("have at most 2 000 characters, with all or no tools configured", () => {
    for (const listed of [everything, without("event", "web"), []]) {
      expect(instructions(registry, listed, namesOf(listed)).length).toBeLessThanOrEqual(2_000);
    }
  });

  it("have the rule on approvals in their first 500 characters", () => {
    const beginning = instructions(registry, everything, namesOf(everything)).slice(0, 500);
    expect(beginning).toContain("approval_required");
    expect(beginning).toContain("You cannot approve anything yourself.");
    expect(beginning).toContain("A denied call is final");
  });

  it("name each tool with its risk, and the report after medium-risk tools", () => {
    const text = instructions(registry, everything, namesOf(everything));
    for (const { name, risk } of everything) expect(text).toContain(`${name} (${risk})`);
    expect(text).toContain(
      "After write_file, notify_user, remind_me, cancel_reminder tell the user",
    );
    expect(text).not.toContain("Not available here");
  });

  it("name missing tools and the settings that enable them", () => {
    const missing = without("event", "web");
    const text = instructions(registry, missing, namesOf(missing));
    expect(text).toMatch(/Not available here: .*get_events_details.*web_search/);
    expect(text).toContain("delete_event (needs CALDAV_USERNAME, CALDAV_CALENDAR)");
    expect(text).toContain("web_search (needs TAVILY_API_KEY)");
    expect(text).not.toContain("switched off");
  });

  it("call a denied tool denied, whatever settings it needs", () => {
    const text = instructions(registry, without("web"), namesOf(everything));
    expect(text).toContain("web_search (denied by the user's policy)");
    expect(text).not.toContain("TAVILY_API_KEY");
  });

  // The text asked for a key that would not have helped.
  it("call a tool denied that lacks its settings too", () => {
    const left = without("web");
    const text = instructions(registry, left, namesOf(left), (name) => name === "web_search");
    expect(text).toContain("web_search (denied by the user's policy)");
    expect(text).not.toContain("TAVILY_API_KEY");
  });
});
