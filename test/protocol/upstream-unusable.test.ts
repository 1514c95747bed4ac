import { expect, it } from "vitest";
import { httpTools, startHttpUpstream } from "./http-upstream.ts";
import { runHere } from "./program.ts";
import { homeWithServers, openHere, review, writeServers } from "./upstream-home.ts";

const problem = "the schema cannot be used to check a call, so each call is refused";

/** Creates a home with a server that lists these tools too. */
async function withMore(t: Parameters<typeof homeWithServers>[0], more: readonly object[]) {
  const home = homeWithServers(t, {});
  const web = await startHttpUpstream(home);
  web.intercept.by = ({ message: { method }, reply }) => {
    if (method === "tools/list") reply({ result: { tools: [...httpTools, ...more] } });
    return method === "tools/list";
  };
  writeServers(home, { web: { url: web.url } });
  return { home, web };
}

// Only the log said so.
it("the tools that are left out are named by the doctor", async (t) => {
  const { home } = await withMore(t, [
    { name: "right\u202eleft", inputSchema: {} },
    ...Array.from({ length: 21 }, (_, index) => ({ name: `without_schema_${index}` })),
  ]);
  await review(home, "web");
  const { stdout } = await runHere(home, ["doctor"]);
  expect(stdout).toMatch(
    /^server web: works, and offers 2 of 2 tools\. Tools that are not offered, because their definition cannot be used: "right\\u\{202E\}left", "without_schema_0", .*"without_schema_18", and 2 more\.$/m,
  );
});

// The person read a number, and nothing of what the server said.
it("a review quotes the error with which a server refuses to list its tools", async (t) => {
  const { home, web } = await withMore(t, []);
  web.intercept.by = ({ message: { method }, reply }) => {
    if (method === "tools/list")
      reply({ error: { code: -32_603, message: "no licence\u001b[31m" } });
    return method === "tools/list";
  };
  const { stderr } = await review(home, "web");
  expect(stderr).toContain(
    'The server web did not list its tools (protocol error -32603). Nothing was done. Its message: "no licence\\u{001B}[31m". Start it',
  );
});

// Only a call said so, after an approver had offered the tool.
it("a tool whose schema cannot be used is named by the review and the doctor", async (t) => {
  const inputSchema = { type: "object", properties: { how: { type: "text", pattern: "(" } } };
  const broken = { name: "broken", inputSchema, annotations: { readOnlyHint: true } };
  const { home, web } = await withMore(t, [broken]);
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
