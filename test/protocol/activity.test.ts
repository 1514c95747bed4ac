import { describe, expect, it } from "vitest";
import { afterRun, approvalOf } from "./answer.ts";
import { connect, connectHere } from "./clients.ts";
import { newHome, operatorSecret } from "./home.ts";
import { runHere, runProgram } from "./program.ts";

const key = "notes/a.md";

/** Returns a time zone in which today does not end while a test runs, because the diary begins at midnight. */
function zoneFarFromMidnight(): string {
  const hourIn = (timeZone: string) =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", timeZone }).format();
  return hourIn("Europe/Berlin") === "23" ? "Asia/Tokyo" : "Europe/Berlin";
}

describe.concurrent("the activity command", () => {
  it("lists the day's activity, with the ids for undo [activity.diary]", async (t) => {
    const zone = zoneFarFromMidnight();
    const home = newHome(t, { TZ: zone });
    const client = await connect(home, "v2 pinned");
    await client.call("write_file", { key, content: "one" });
    await client.call("write_file", { key, content: "two!" });
    await client.call("read_file", { key: "nothing.md" });
    const { id } = approvalOf(await client.call("delete_file", { key }));
    const approve = ["approvals", "approve", id, "--secret-stdin"];
    await runProgram(home, approve, { input: `${operatorSecret}\n` });
    await afterRun(() => client.call("delete_file", { key }));
    // The end of a run is noted, and written down a moment later.
    await client.close();
    const { code, stdout } = await runProgram(home, ["activity"]);
    expect(code).toBe(0);
    const line = (text: string) => new RegExp(String.raw`^  \d\d:\d\d  ${text}$`, "m");
    expect(stdout).toMatch(/^\w+day,? \d+ \w+ 20\d\d\n/);
    expect(stdout).toMatch(line('An assistant wrote notes/a.md, 3 bytes \\("protocol-test"\\)'));
    expect(stdout).toMatch(
      line(
        'An assistant replaced notes/a.md, 4 bytes, undo until .+ (?:CES?T|GMT.*) \\("protocol-test"\\)',
      ),
    );
    expect(stdout).toMatch(
      line('An assistant could not read nothing.md: it does not exist \\("protocol-test"\\)'),
    );
    expect(stdout).toMatch(line('An assistant asked to delete notes/a.md \\("protocol-test"\\)'));
    expect(stdout).toMatch(line("operator approved at the terminal: delete notes/a.md"));
    expect(stdout).toMatch(
      line('An assistant deleted notes/a.md, undo until .+ \\("protocol-test"\\)'),
    );
    expect(stdout.match(/main\.js undo un_[a-z2-7]{26}$/gm)).toHaveLength(3);
    expect(stdout).toContain(`Times are those of this computer (${zone}).`);
    const week = await runProgram(home, ["activity", "--week", "--json"]);
    const entries = week.stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as object);
    expect(entries[0]).toMatchObject({
      who: "An assistant",
      text: "wrote notes/a.md, 3 bytes",
      principal: "local",
      undo: { state: "possible" },
    });
  });

  it("covers today, or today and the six days before [activity.diary]", async (t) => {
    const home = newHome(t);
    const client = await connectHere(home, "v2 pinned");
    const ages = { "now/": 0, "yesterday/": 1, "six/": 6, "seven/": 7 };
    for (const prefix of Object.keys(ages)) await client.call("list_files", { prefix });
    await client.close();
    for (const [prefix, days] of Object.entries(ages)) {
      const sql = "UPDATE audit SET at = at - ? WHERE sentence LIKE ?";
      await home.sql(sql, [days * 86_400_000, `%${prefix}%`]);
    }
    const told = async (...options: string[]) => {
      const { stdout } = await runHere(home, ["activity", ...options]);
      return Object.keys(ages).filter((prefix) => stdout.includes(prefix));
    };
    expect(await told()).toEqual(["now/"]);
    expect(await told("--today")).toEqual(["now/"]);
    expect(await told("--week")).toEqual(["now/", "yesterday/", "six/"]);
    expect((await runHere(home, ["activity", "--today", "--week"])).code).toBe(2);
  });

  it("reports omissions [activity.bounded]", async (t) => {
    const home = newHome(t, { TZ: zoneFarFromMidnight() });
    const client = await connect(home, "v2 pinned");
    for (const prefix of ["a", "b", "c"]) await client.call("list_files", { prefix });
    await client.close();
    const { stdout } = await runProgram(home, ["activity", "--limit", "2"]);
    expect(stdout).not.toContain("under a");
    expect(stdout).toContain("under c");
    expect(stdout).toContain("Only the newest 2 events were read");
    const nothing = await runHere(newHome(t), ["activity"]);
    expect(nothing.stdout).toBe("Nothing happened.\n");
  });
});
