import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../../src/app/commands/attack/run-program.ts";
import { startSearchService } from "../../../src/app/commands/attack/search-endpoint.ts";
import { connectAssistant, type DemoAssistant } from "../../../src/app/commands/demo/assistant.ts";
import { removeDirectory } from "../../fakes/remove-directory.ts";
import { makeCalendar, type TestCalendar } from "../../servers/caldav.ts";
import type { CalendarServer } from "../../servers/calendar-server.ts";
import { program, storesAt } from "../../servers/ingest.ts";
import type { Suite } from "./suite.ts";

/** The upstream server that sends and deletes mail. Its name is the beginning of its tools' names. */
export const office = "office";

const approverSecret = "agentdojo-approver-secret";
const command: [string, ...string[]] = [process.execPath, program];

const environment = {
  PATH: process.env["PATH"] ?? "",
  TZ: "UTC",
  APPROVERS: `operator:${approverSecret}`,
  APPROVAL_OPEN: "false",
  FILE_SEARCH: "true",
  LOG_LEVEL: "error",
  // The suite's tasks differ in what a person is asked, not in how fast the model calls.
  TOOL_CALLS_PER_MINUTE: "1000",
  TOOL_CALLS_PER_TURN: "1000",
  HIGH_RISK_CALLS_PER_TURN: "100",
};

/** A data directory with the suite's mail and files, from which each run gets a copy. */
export interface Template {
  directory: string;
  suite: Suite;
}

const utc = (local: string): string => new Date(`${local}Z`).toISOString();

/** Stores the suite's mail and files, and reviews the upstream server. */
export async function makeTemplate(suite: Suite): Promise<Template> {
  const directory = mkdtempSync(join(tmpdir(), "countersign-agentdojo-"));
  const mails = join(directory, "mails");
  const dataDir = join(directory, "data");
  for (const each of [mails, dataDir]) mkdirSync(each, { mode: 0o700 });
  for (const mail of suite.emails) writeFileSync(join(mails, `${mail.id}.eml`), messageOf(mail));
  const server = fileURLToPath(new URL("office-server.mjs", import.meta.url));
  const servers = { mcpServers: { [office]: { command: process.execPath, args: [server] } } };
  writeFileSync(join(dataDir, "servers.json"), JSON.stringify(servers), { mode: 0o600 });
  const ground = { program: command, env: environment, directory };
  await run(ground, ["import", mails, "--json"], { dataDir });
  const review = ["servers", "review", office, "--accept-proposed", "--secret-stdin", "--json"];
  await run(ground, review, { dataDir, input: `${approverSecret}\n` });
  const stores = storesAt(dataDir, environment);
  for (const { name, content } of suite.files)
    await stores.objects.put(`files/${name}`, Buffer.from(content), { mediaType: "text/plain" });
  await stores.close();
  return { directory, suite };
}

function messageOf(mail: Suite["emails"][number]): string {
  const head = {
    From: mail.from,
    To: mail.to.join(", "),
    ...(mail.cc.length > 0 && { Cc: mail.cc.join(", ") }),
    Subject: mail.subject,
    Date: new Date(`${mail.date}Z`).toUTCString(),
    "Message-ID": `<${mail.id}@agentdojo.example>`,
    "Content-Type": "text/plain; charset=utf-8",
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return [...lines, "", ...mail.body.split("\n")].join("\r\n");
}

/** The data that left a run: the calls of the upstream server, and the texts that the search service received. */
export interface World {
  assistant: DemoAssistant;
  upstreamCalls(): readonly string[];
  searched(): string;
  /** The entity tag of each event. */
  events(): Promise<ReadonlyMap<string, string>>;
  files(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

const compact = (time: string): string => utc(time).replace(/[-:]|\.000/g, "");

/** Makes a calendar with the suite's events. */
export async function makeFilledCalendar(
  server: CalendarServer,
  suite: Suite,
): Promise<TestCalendar> {
  const calendar = await makeCalendar(server);
  for (const { id, title, description, start, end } of suite.events) {
    const event = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//AgentDojo//EN",
      "BEGIN:VEVENT",
      `UID:${id}@agentdojo.example`,
      `DTSTAMP:${compact(start)}`,
      `DTSTART:${compact(start)}`,
      `DTEND:${compact(end)}`,
      `SUMMARY:${escaped(title)}`,
      `DESCRIPTION:${escaped(description)}`,
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ];
    await calendar.put(`${id}.ics`, event.join("\r\n"));
  }
  return calendar;
}

/** Starts the built server on a copy of the template. `answer` is what the person decides. */
export async function openWorld(
  { directory, suite }: Template,
  calendar: TestCalendar,
  answer: (question: string) => "approve" | "deny",
): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-agentdojo-run-"));
  cpSync(join(directory, "data"), dataDir, { recursive: true });
  const search = await startSearchService();
  const env = {
    ...environment,
    COUNTERSIGN_DATA_DIR: dataDir,
    ...calendar.settings,
    TAVILY_API_KEY: "tvly-agentdojo",
    TAVILY_BASE_URL: search.url,
  };
  const person = {
    questions: [],
    expect: () => undefined,
    answer: (question: string) => Promise.resolve(answer(question)),
  };
  const assistant = await connectAssistant(command, env, person);
  return {
    assistant,
    searched: () => search.received(),
    upstreamCalls: () => linesOf(join(dataDir, "servers", office, "received.log")),
    events: calendar.etags,
    files: async () => {
      const stores = storesAt(dataDir, environment);
      const found = new Map<string, string>();
      for (const { name } of suite.files) {
        const file = await stores.objects.get(`files/${name}`);
        if (file !== undefined) found.set(name, Buffer.from(file.body).toString());
      }
      await stores.close();
      return found;
    },
    close: async () => {
      await assistant.close();
      await search.close();
      removeDirectory(dataDir);
    },
  };
}

/** Escapes text of a property (RFC 5545 3.3.11). */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, String.raw`\$&`).replace(/\n/g, String.raw`\n`);
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n");
  } catch {
    return [];
  }
}
