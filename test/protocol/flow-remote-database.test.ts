import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, it } from "vitest";
import { startDatabaseServer } from "../servers/database-server.ts";
import { approvalOf } from "./answer.ts";
import { runHere } from "./program.ts";
import { homeWithSearch, startTwo } from "./two-processes.ts";

const code = "84QX71KM90";
const mail = [
  "From: Lena Hoffmann <lena@example.org>",
  "To: me@in.example",
  "Subject: Licence",
  "Date: Fri, 20 Nov 2026 10:00:00 +0000",
  "Message-ID: <licence@example.org>",
  "",
  `The licence is ${code}.`,
  "",
].join("\r\n");

/** Opens two processes of one caller with one database server, which share no directory of marks. */
async function openTwo(t: TestContext) {
  const home = await homeWithSearch(t);
  const path = join(home.dir, "licence.eml");
  writeFileSync(path, mail);
  // The same file: the tests' own statements go past the server.
  const server = await startDatabaseServer(join(home.dir, "countersign.db"));
  home.later(() => server.close());
  Object.assign(home.env, { DATABASE_URL: server.url, DATABASE_AUTH_TOKEN: server.token });
  expect((await runHere(home, ["import", path])).code).toBe(0);
  const { servers, reader, other } = await startTwo(home);
  const [row] = await home.sql("SELECT email_id FROM mail");
  const read = () => reader.call("read_email", { emailId: row?.["email_id"] });
  const send = (query: string) => other.call("web_search", { query });
  return { server, servers, read, send };
}

describe.concurrent("two processes of one caller with a database server [flow]", () => {
  it("compare a text with a result whose process was killed immediately afterwards", async (t) => {
    const { servers, read, send } = await openTwo(t);
    expect((await send(`who knows ${code}`)).isError).toBe(false);
    expect((await read()).text).toContain(code);
    servers[0].child.kill("SIGKILL");
    await servers[0].ended;
    approvalOf(await send(`who owns ${code}`));
    expect((await send("tides at Ghent")).isError).toBe(false);
  });

  // Nothing marks the record there, so a result that could not be recorded would be unknown to the other process.
  it("withhold an answer that could not be recorded", async (t) => {
    const { server, read, send } = await openTwo(t);
    server.fault = (requests) =>
      JSON.stringify(requests).includes("INTO flow_given")
        ? { kind: "status", status: 503 }
        : undefined;
    const failed = await read();
    expect(failed.isError).toBe(true);
    expect(failed.text).not.toContain(code);
    server.fault = () => undefined;
    expect((await read()).text).toContain(code);
    approvalOf(await send(`who owns ${code}`));
  });
});
