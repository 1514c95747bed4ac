import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { makeCalendar } from "../servers/caldav.ts";
import { recipient, smtpSession } from "../servers/ingest.ts";
import { ingestAt, newHome } from "./home.ts";
import { runProgram } from "./program.ts";
import { converseAtTerminal, type Exchange, keys } from "./terminal.ts";

const { radicale } = inject("calendarServers");

/** Creates an empty data directory. Its settings are those of the file alone. */
function emptyHome(t: TestContext) {
  const home = newHome(t);
  const file = join(home.dir, ".env");
  return {
    // The user of this home has no client on this machine.
    home: { ...home, env: { COUNTERSIGN_DATA_DIR: home.dir, HOME: home.dir } },
    file,
    settings: () => parseEnv(readFileSync(file, "utf8")),
  };
}

const { enter, space, down } = keys;

/** Moves to the capability at this place of the list, and chooses it alone. */
const choose = (place: number): Exchange => [
  "What do you want to set up?",
  `${down.repeat(place)}${space}${enter}`,
];

const calendarPlace = 5;
const smtpPlace = 1;
const searchPlace = 6;
const summaryPlace = 7;

/** The confirmation mail that a provider sends to a new forwarding address. */
const confirmation = Buffer.from(
  [
    `From: "Gmail Team" <forwarding-noreply@google.com>`,
    "Subject: (#123456789) Gmail Forwarding Confirmation",
    "",
    "Please click: https://mail.google.com/mail/vf-abc",
    "",
  ].join("\r\n"),
);

/** Creates a data directory in which this confirmation has arrived. */
async function askedHome(t: TestContext) {
  const empty = emptyHome(t);
  const ingest = await ingestAt(empty.home);
  const session = await smtpSession(ingest.port);
  try {
    expect(await session.send(confirmation)).toMatch(/^250 /);
  } finally {
    session.close();
  }
  expect(await ingest.stop("SIGTERM")).toBe(0);
  return empty;
}

describe.skipIf(inject("missingServers").includes("script"))("init at a terminal", () => {
  it("asks for a calendar, reports problems, and writes working settings", async (t) => {
    const calendar = await makeCalendar(radicale!);
    const { home, file, settings } = emptyHome(t);
    writeFileSync(file, "# mine\nLOG_LEVEL=warn\n", { mode: 0o600 });
    const { code, stdout } = await converseAtTerminal(
      home,
      ["init"],
      [
        choose(calendarPlace),
        ["CALDAV_URL", `${keys.clearLine}nonsense${enter}`],
        ["CALDAV_URL must be an http or https URL", `${keys.clearLine}${radicale!.url}${enter}`],
        ["CALDAV_AUTH", enter],
        ["CALDAV_USERNAME", enter],
        ["CALDAV_USERNAME is needed.", `alice${enter}`],
        ["CALDAV_PASSWORD", `init-canary-wrong${enter}`],
        ["CALDAV_CALENDAR", `${calendar.name}${enter}`],
        ["What now?", enter],
        ["CALDAV_URL", enter],
        ["CALDAV_AUTH", enter],
        ["CALDAV_USERNAME", enter],
        ["CALDAV_PASSWORD", `secret${enter}`],
        ["CALDAV_CALENDAR", enter],
      ],
    );
    expect(stdout).toContain("It works.");
    expect(stdout).not.toContain("init-canary-wrong");
    expect(settings()).toEqual({
      LOG_LEVEL: "warn",
      CALDAV_URL: radicale!.url,
      CALDAV_USERNAME: "alice",
      CALDAV_PASSWORD: "secret",
      CALDAV_CALENDAR: calendar.name,
    });
    expect(readFileSync(file, "utf8")).toMatch(/^# mine\nLOG_LEVEL=warn\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(`"mcpServers"`);
    expect(code).toBe(0);
    const doctor = await runProgram(home, ["doctor"]);
    expect(doctor.stdout).toContain("calendar: works");
  });

  it("writes no default, asks for optional settings, and prints the next command", async (t) => {
    const { home, file } = emptyHome(t);
    const { code, stdout } = await converseAtTerminal(
      home,
      ["init"],
      [
        choose(smtpPlace),
        ["INGEST_RECIPIENTS", `me${enter}`],
        ["INGEST_RECIPIENTS must be mail addresses", `@in.example${enter}`],
        ["SMTP_HOST", enter],
        ["SMTP_PORT", enter],
        ["SMTP_PROTOCOL", `${down}${enter}`],
        ["SMTP_TLS_CERT", enter],
        ["SMTP_TLS_KEY: ", enter],
        ["OWNER_ADDRESSES", `ann@example.org${enter}`],
        ["INGEST_SENDERS", enter],
      ],
    );
    expect(readFileSync(file, "utf8")).toBe(
      "INGEST_RECIPIENTS=me@in.example\nSMTP_PROTOCOL=lmtp\nOWNER_ADDRESSES=ann@example.org\n",
    );
    expect(stdout).toContain("main.js ingest");
    expect(code).toBe(0);
  });

  it("writes an unreachable connection on request, but no setting of the environment", async (t) => {
    const { home, settings } = emptyHome(t);
    const offline = { ...home, env: { ...home.env, TAVILY_BASE_URL: "http://127.0.0.1:1" } };
    const { stdout } = await converseAtTerminal(
      offline,
      ["init"],
      [
        choose(searchPlace),
        ["TAVILY_API_KEY", `it's-a-"key"#1${enter}`],
        ["What now?", `${down}${enter}`],
      ],
    );
    expect(stdout).toContain("could not be reached");
    expect(stdout).not.toContain("It works.");
    expect(settings()).toEqual({ TAVILY_API_KEY: `it's-a-"key"#1` });
    const fixed = { ...home, env: { ...offline.env, TAVILY_API_KEY: "another" } };
    const again = await converseAtTerminal(
      fixed,
      ["init"],
      [choose(searchPlace), ["What now?", `${down}${down}${enter}`]],
    );
    expect(again.stdout).toContain("TAVILY_API_KEY is set in the environment");
    expect(settings()).toEqual({ TAVILY_API_KEY: `it's-a-"key"#1` });
  });

  it("offers to write only settings that a command accepts", async (t) => {
    const { home, file } = emptyHome(t);
    const { stdout } = await converseAtTerminal(
      home,
      ["init"],
      [
        choose(summaryPlace),
        ["SUMMARY_PROVIDER", enter],
        ["SUMMARY_MODEL", `some-model${enter}`],
        ["SUMMARY_BASE_URL", enter],
        ["SUMMARY_API_KEY", enter],
        ["What now?", `${down}${enter}`],
      ],
    );
    expect(stdout).toContain("SUMMARY_API_KEY is missing, because SUMMARY_PROVIDER is set.");
    expect(stdout).not.toContain("Write it anyway");
    expect(stdout).toContain("nothing was written");
    expect(existsSync(file)).toBe(false);
  });

  it("names settings that it cannot edit, and values that the file cannot represent", async (t) => {
    const { home, file } = emptyHome(t);
    const text = 'INGEST_RECIPIENTS="a@x.example,\nb@x.example"\n';
    writeFileSync(file, text, { mode: 0o600 });
    const { code, stdout } = await converseAtTerminal(home, ["init"], [choose(smtpPlace)]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("uses syntax that init cannot edit");
    expect(code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);
    const quotes = await converseAtTerminal(
      home,
      ["init"],
      [
        choose(searchPlace),
        ["TAVILY_API_KEY", `a'b"c\`#canary${enter}`],
        ["TAVILY_API_KEY contains characters that a .env file cannot represent", keys.interrupt],
      ],
    );
    expect(quotes.stdout).not.toContain("canary");
  });

  it("continues after a fault in another capability", async (t) => {
    const { home, file, settings } = emptyHome(t);
    writeFileSync(file, "HTTP_PORT=banana\n", { mode: 0o600 });
    const { stdout } = await converseAtTerminal(
      home,
      ["init"],
      [
        choose(searchPlace),
        ["TAVILY_API_KEY", `some-key${enter}`],
        ["What now?", `${down}${enter}`],
      ],
    );
    expect(stdout).toContain("HTTP_PORT must be a whole number");
    expect(settings()).toEqual({ HTTP_PORT: "banana", TAVILY_API_KEY: "some-key" });
  });

  it("reports the same when it is cancelled during a test", async (t) => {
    const { home, file } = emptyHome(t);
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    t.onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const offline = { ...home, env: { ...home.env, TAVILY_BASE_URL: `http://127.0.0.1:${port}` } };
    const { code, stdout } = await converseAtTerminal(
      offline,
      ["init"],
      [
        choose(searchPlace),
        ["TAVILY_API_KEY", `some-key${enter}`],
        ["Trying it ...", keys.interrupt],
      ],
    );
    expect(stdout).toContain("Cancelled. Only the changes reported above were saved.");
    expect(code).toBe(130);
    expect(existsSync(file)).toBe(false);
  });

  it.for([
    ["Ctrl-C", keys.interrupt],
    ["the end of input", keys.endOfInput],
  ])("ends with %s in the middle without writing", async ([, key = ""], t) => {
    const { home, file } = emptyHome(t);
    const { code, stdout } = await converseAtTerminal(
      home,
      ["init"],
      [choose(calendarPlace), ["CALDAV_URL", enter], ["CALDAV_AUTH", key]],
    );
    expect(stdout).toContain("Cancelled. Only the changes reported above were saved.");
    expect(stdout).toMatch(/To continue, run: .*main\.js init/);
    expect(stdout).not.toMatch(/^\s+at /m);
    // Code 1 looked to a script like a failure.
    expect(code).toBe(130);
    expect(existsSync(file)).toBe(false);
  });

  it("shows a provider's forwarding confirmation [mail.confirmation]", async (t) => {
    const { home } = await askedHome(t);
    const { stdout } = await converseAtTerminal(
      home,
      ["init"],
      [["What do you want to set up?", keys.interrupt]],
    );
    expect(stdout).toContain("Gmail asks whether mail may be forwarded here");
    expect(stdout).toContain("123456789");
    expect(stdout).toContain("https://mail.google.com/mail/vf-abc");
  });
});

describe("init without a terminal", () => {
  it("asks and writes nothing, and lists missing settings and waiting messages [mail.confirmation]", async (t) => {
    const { home, file } = await askedHome(t);
    const { code, stdout, stderr } = await runProgram(home, ["init"]);
    expect(stdout).toContain(
      "A calendar (CalDAV): needs CALDAV_USERNAME, CALDAV_PASSWORD, CALDAV_CALENDAR",
    );
    expect(stdout).toContain("enter the code 123456789 there");
    expect(stdout).toContain("or open https://mail.google.com/mail/vf-abc");
    expect(stderr).toContain("init asks its questions only at a terminal.");
    expect(code).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it("warns once that others can read the file", async (t) => {
    const { home, file } = emptyHome(t);
    writeFileSync(file, "LOG_LEVEL=warn\n", { mode: 0o644 });
    const { stderr } = await runProgram(home, ["init", "--json"]);
    expect(stderr.match(/can be read by other users/g)).toHaveLength(1);
  });

  it("prints the same as data, with invalid settings", async (t) => {
    const { home, file } = await askedHome(t);
    const run = async () => {
      const { code, stdout } = await runProgram(home, ["init", "--json"]);
      expect(code).toBe(0);
      return stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const [first, ...told] = await run();
    expect(first).toEqual({ file, dataDir: home.dir });
    expect(told).toContainEqual({
      title: "Web search (Tavily)",
      lacks: ["TAVILY_API_KEY"],
    });
    expect(told.at(-1)).toMatchObject({
      state: "quarantined",
      confirmation: {
        provider: "Gmail",
        code: "123456789",
        link: "https://mail.google.com/mail/vf-abc",
      },
    });
    writeFileSync(
      file,
      `TAVILY_API_KEY=k\nIMAP_HOST=imap.example\nINGEST_RECIPIENTS=${recipient}\n`,
      {
        mode: 0o600,
      },
    );
    const later = await run();
    expect(later).toContainEqual({ title: "Web search (Tavily)", lacks: [] });
    expect(later).toContainEqual({
      problem: "IMAP_USERNAME is missing, because IMAP_HOST is set.",
    });
  });
});
