import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";

const calendar = {
  CALDAV_USERNAME: "alice",
  CALDAV_PASSWORD: "doctor-canary-secret",
  CALDAV_CALENDAR: "Assistant",
};

describe.concurrent("the doctor", () => {
  it("says of each connection that it works, or which settings would bring it", async (t) => {
    const { code, stdout } = await runProgram(newHome(t), ["doctor"]);
    expect(stdout).toBe(
      [
        "database: ok",
        "files: ok",
        "calendar: not configured",
        "  Set CALDAV_* to have it.",
        "web search: not configured",
        "  Set TAVILY_API_KEY to have it.",
        "",
      ].join("\n"),
    );
    expect(code).toBe(0);
  });

  it("says in plain words what fails, and tells no secret", async (t) => {
    // Nobody listens at port 1.
    const home = newHome(t, { ...calendar, CALDAV_URL: "http://127.0.0.1:1/" });
    const { code, stdout, stderr } = await runProgram(home, ["doctor", "--json"]);
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; state: string; error?: object });
    expect(told.map(({ name, state }) => `${name} ${state}`)).toEqual([
      "database ok",
      "files ok",
      "calendar failed",
      "web search not configured",
    ]);
    expect(told[2]?.error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(calendar.CALDAV_PASSWORD);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
