import { expect, it } from "vitest";
import { httpTools, startHttpUpstream } from "./http-upstream.ts";
import { runHere } from "./program.ts";
import { homeWithServers, openHere, review, writeServers } from "./upstream-home.ts";

const problem = "the schema cannot be used to check a call, so each call is refused";

// Only a call said so, after an approver had offered the tool.
it("a tool whose schema cannot be used is named by the review and the doctor", async (t) => {
  const home = homeWithServers(t, {});
  const web = await startHttpUpstream(home);
  const inputSchema = { type: "object", properties: { how: { type: "text", pattern: "(" } } };
  const broken = { name: "broken", inputSchema, annotations: { readOnlyHint: true } };
  web.intercept.by = ({ message: { method }, reply }) => {
    if (method === "tools/list") reply({ result: { tools: [...httpTools, broken] } });
    return method === "tools/list";
  };
  writeServers(home, { web: { url: web.url } });
  const accepted = await review(home, "web");
  const [last = ""] = accepted.stdout.trim().split("\n").slice(-1);
  expect(JSON.parse(last)).toMatchObject({ name: "web__broken", state: "new", problem });
  const { stdout } = await runHere(home, ["doctor"]);
  expect(stdout).toContain(
    'server web: works, and offers 3 of 3 tools. Tools whose schema cannot be used, so each call is refused: "broken". The author of the server has to correct it.\n',
  );
  const client = await openHere(home);
  const { error, text } = await client.call("web__broken", {});
  expect(error).toMatchObject({ kind: "unavailable", sideEffects: "none" });
  expect(text).toContain("The schema of web__broken cannot be used to check a call.");
  expect(web.asked).not.toContain("tools/call");
});
