import { describe, expect, it } from "vitest";
import { runsOf, storedFile } from "../protocol/home.ts";
import { drivers } from "./drivers.ts";
import { toolsOf } from "./model-apis.ts";
import { packageOf, versionOf } from "./packages.ts";
import { type Row, writeReport } from "./report.ts";
import { dialogIn, formOf, protocolIn, resultsIn, tokensOf } from "./seen.ts";
import { newWorld, transports } from "./world.ts";

/** `CLIENTS=codex,cline npm run test:clients` runs these alone. */
const wanted = process.env["CLIENTS"]?.split(",");
const chosen = drivers.filter(({ id }) => wanted === undefined || wanted.includes(id));

const cases = chosen.flatMap((driver) =>
  transports
    .filter((transport) => driver.id !== "mcp-remote" || transport === "HTTP")
    .map((transport) => ({ ...driver, transport })),
);

describe.each(cases)("$title over $transport", ({ id, title, transport, drive }) => {
  it("lists the tools, runs calls of each risk, and runs an approved call once", async (t) => {
    const world = await newWorld(t, transport);
    const { ran, plain } = await drive(world);
    const said = ran.map(({ stdout, stderr }) => `${stdout.slice(-1500)}\n${stderr.slice(-1500)}`);
    const last = world.model.requests.at(-1);
    const names = plain?.tools ?? world.model.requests.flatMap(toolsOf).map(({ name }) => name);
    const results = plain?.results ?? resultsIn(last ?? {});
    const ours = results.filter((result) => isOurs(result));
    const whole = JSON.stringify(world.model.requests);
    const listed = names.some((name) => /(?:^|[^a-z])delete_file$/.test(name));
    const isFound = listed || world.model.lookedUp.size > 0;
    expect(isFound, said.join("\n---\n")).toBe(true);
    expect(ours, said.join("\n---\n")).toHaveLength(5);
    const [searched = "", wrote = "", asked = "", removed = "", again = ""] = ours;
    expect(searched).toContain("Offer for the kitchen");
    expect(wrote).toContain("Tell the user: wrote notes/a.txt");
    expect(asked).toContain("approval_required");
    expect(removed).not.toContain("approval_required");
    // The call was made once: the same call again finds no file, or asks anew.
    expect(again).toMatch(/approval_required|not_found|There is no file/);
    expect(await runsOf(world.home, "delete_file")).toBe(1);
    expect(await storedFile(world.home, "notes/a.txt")).toEqual({ there: false, undoCopies: 1 });
    const rpc = world.rpc();
    const row: Row = {
      title,
      package: packageOf(id),
      version: versionOf(id),
      transport,
      protocol: protocolIn(rpc),
      dialog: dialogIn(rpc),
      sees: formOf(searched),
      tokens: tokensOf(searched),
      remarks: [
        ...(world.model.lookedUp.size > 0 ? ["looks tools up before it offers them"] : []),
        ...(world.model.isEarly() ? ["asks the model before the server has started"] : []),
        ...(plain === undefined
          ? [
              whole.includes("Some calls need the user")
                ? "the model gets the server's instructions"
                : "the model gets no instructions of the server",
            ]
          : ["no model: what the program gets"]),
      ],
    };
    if (process.env["WRITE_DOCS"] === "1") writeReport(row);
  });
});

/** Not what a client's own tools said, such as a search for tools. */
function isOurs(result: string): boolean {
  return /of 1 messages|summarySource|notes\/a\.txt|approval_required/.test(result);
}
