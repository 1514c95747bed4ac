import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { parseSettings, type Environment } from "../../src/config.ts";
import { ConfigError } from "../../src/config/config-error.ts";
import { settingGroups, settings } from "../../src/config/settings.ts";

const dataDir = "/data";
const read = (env: Environment = {}) => parseSettings(env, dataDir);

function problemsOf(env: Environment): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ setting, problem }) => `${setting} ${problem}`);
    throw error;
  }
  return [];
}

describe("default settings", () => {
  it("configure a program for its own machine without outside systems", () => {
    const config = read();
    expect(config).toMatchObject({
      dataDir,
      logLevel: "info",
      database: { kind: "file", path: "/data/countersign.db" },
      http: { host: "127.0.0.1", port: 8080, tokens: [] },
      approvals: { approvers: [], ttlSeconds: 86_400, waitMs: 10_000, open: "auto" },
      budget: { callsPerMinute: 60, callsPerTurn: 40, highPerTurn: 5 },
      undoHours: 24,
      flowHours: 24,
      auditKeepDays: 365,
      ingest: { maxBytes: 26_214_400, ownerAddresses: [], notifyNewMail: false },
    });
    for (const capability of ["s3", "calendar", "webSearch", "summary", "smtp", "imap", "telegram"])
      expect(config[capability as keyof typeof config], capability).toBeUndefined();
  });

  it("may be empty strings, as a host's form sends them", () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, " "]));
    expect(read(empty)).toEqual(read());
  });

  it("may include unknown names", () => {
    expect(read({ COUNTERSIGN_COLOUR: "blue", PATH: "/bin" })).toEqual(read());
  });

  it("have defaults that pass their own checks", () => {
    for (const [name, { schema, default: initial }] of Object.entries(settings))
      if (initial !== undefined) expect(schema.safeParse(initial).success, name).toBe(true);
  });

  it("belong to exactly one group each", () => {
    const grouped = settingGroups.flatMap((group) => Object.keys(group.settings));
    expect(grouped.toSorted()).toEqual(Object.keys(settings).toSorted());
  });
});

describe("paths", () => {
  it("are relative to the data directory unless they are full", () => {
    expect(read({ POLICY_FILE: "policy.json" }).policyFile).toBe("/data/policy.json");
    expect(read({ POLICY_FILE: "/etc/policy.json" }).policyFile).toBe("/etc/policy.json");
    expect(read({ DATABASE_URL: "file:my.db" }).database).toEqual({
      kind: "file",
      path: "/data/my.db",
    });
    expect(read({ DATABASE_URL: "file:/x/a.db" }).database).toEqual({
      kind: "file",
      path: "/x/a.db",
    });
    expect(read({ DATABASE_URL: "file:///x/a.db" }).database).toEqual({
      kind: "file",
      path: "/x/a.db",
    });
  });

  it("cannot use a tilde, which only a shell would expand", () => {
    expect(problemsOf({ POLICY_FILE: "~/policy.json" })).toHaveLength(1);
  });
});

describe("an incomplete group [settings.whole-sets]", () => {
  it.each<[string, Environment, string]>([
    ["S3 without its secret", { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k" }, "S3_SECRET_ACCESS_KEY"],
    ["keys without a bucket", { S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" }, "S3_BUCKET"],
    [
      "a calendar without its name",
      { CALDAV_USERNAME: "u", CALDAV_PASSWORD: "p" },
      "CALDAV_CALENDAR",
    ],
    [
      "a calendar without its password",
      { CALDAV_USERNAME: "u", CALDAV_CALENDAR: "c" },
      "CALDAV_PASSWORD",
    ],
    [
      "a calendar with half of OAuth",
      {
        CALDAV_USERNAME: "u",
        CALDAV_CALENDAR: "c",
        CALDAV_AUTH: "oauth",
        CALDAV_OAUTH_CLIENT_ID: "i",
        CALDAV_OAUTH_CLIENT_SECRET: "s",
      },
      "CALDAV_OAUTH_REFRESH_TOKEN",
    ],
    ["search without a key", { TAVILY_BASE_URL: "http://x" }, "TAVILY_API_KEY"],
    [
      "a summary without a model",
      { SUMMARY_PROVIDER: "anthropic", SUMMARY_API_KEY: "k" },
      "SUMMARY_MODEL",
    ],
    [
      "a summary without a key",
      { SUMMARY_PROVIDER: "anthropic", SUMMARY_MODEL: "m" },
      "SUMMARY_API_KEY",
    ],
    [
      "a budget for summaries without a model",
      { SUMMARY_CALLS_PER_DAY: "9", SUMMARY_MODEL: "m" },
      "SUMMARY_PROVIDER",
    ],
    ["SMTP without recipients", { SMTP_PORT: "25" }, "INGEST_RECIPIENTS"],
    ["a certificate alone", { INGEST_RECIPIENTS: "a@b.c", SMTP_TLS_CERT: "c.pem" }, "SMTP_TLS_KEY"],
    ["a key alone", { INGEST_RECIPIENTS: "a@b.c", SMTP_TLS_KEY: "k.pem" }, "SMTP_TLS_CERT"],
    ["HTTP intake without a token", { INGEST_HTTP_PORT: "0" }, "INGEST_HTTP_TOKEN"],
    ["IMAP without a host", { IMAP_USERNAME: "u", IMAP_PASSWORD: "p" }, "IMAP_HOST"],
    [
      "Telegram without a chat",
      { TELEGRAM_BOT_TOKEN: "t", TELEGRAM_APPROVER_IDS: "1" },
      "TELEGRAM_CHAT_ID",
    ],
    ["notices without Telegram", { NOTIFY_NEW_MAIL: "true" }, "TELEGRAM_BOT_TOKEN"],
    ["a token without a server", { DATABASE_AUTH_TOKEN: "t" }, "DATABASE_URL"],
    ["a bind that others reach, without an address", { HTTP_HOST: "0.0.0.0" }, "PUBLIC_URL"],
    ["OAuth without an address", { OAUTH: "on", APPROVERS: "a:1234567890123456" }, "PUBLIC_URL"],
    ["claims without an issuer", { OAUTH_CALLER_CLAIM: "email" }, "OAUTH_ISSUER"],
    ["an issuer without OAuth", { OAUTH_ISSUER: "https://a.example" }, "OAUTH"],
    ["OAuth without approvers", { OAUTH: "on", PUBLIC_URL: "https://a.example" }, "APPROVERS"],
  ])("is refused and names the missing one: %s", (_, env, missing) => {
    expect(problemsOf(env)).toEqual([
      expect.stringMatching(new RegExp(`^${missing} is missing, because (?!.*, [A-Z_]+ is set)`)),
    ]);
  });

  it("is complete without a key for a local model server", () => {
    const env = {
      SUMMARY_PROVIDER: "openai-compatible",
      SUMMARY_MODEL: "m",
      SUMMARY_BASE_URL: "http://127.0.0.1:11434/v1/",
    };
    expect(read(env).summary).toEqual({
      provider: "openai-compatible",
      model: "m",
      apiKey: undefined,
      baseUrl: "http://127.0.0.1:11434/v1",
      timeoutMs: 60_000,
      concurrency: 2,
      callsPerDay: 500,
    });
  });
});

describe("a complete group", () => {
  it("configures the store, with path-style addresses outside of Amazon", () => {
    const s3 = { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" };
    expect(read(s3).s3).toMatchObject({
      bucket: "b",
      region: "us-east-1",
      prefix: "",
      forcePathStyle: false,
    });
    const own = { ...s3, S3_ENDPOINT: "http://127.0.0.1:9000", S3_PREFIX: "me" };
    expect(read(own).s3).toMatchObject({ prefix: "me/", forcePathStyle: true });
  });

  it("receives mail on loopback by default", () => {
    expect(read({ INGEST_RECIPIENTS: "Me@Example.org, @x.org" }).smtp).toEqual({
      host: "127.0.0.1",
      port: 2525,
      protocol: "smtp",
      tls: undefined,
      recipients: ["me@example.org", "@x.org"],
    });
  });
});

describe("limits", () => {
  const limits = [
    "INGEST_MAX_BYTES",
    "APPROVAL_TTL_SECONDS",
    "APPROVAL_WAIT_MS",
    "UNDO_HOURS",
    "TOOL_CALLS_PER_MINUTE",
    "TOOL_CALLS_PER_TURN",
    "HIGH_RISK_CALLS_PER_TURN",
  ];
  it.each(limits)("cannot be switched off: %s [settings.limits]", (name) => {
    for (const value of [
      "0",
      "-1",
      "Infinity",
      "off",
      "1e9",
      "0x10",
      "12.5",
      "99999999999999999999",
    ])
      expect(problemsOf({ [name]: value }), value).toEqual([
        expect.stringMatching(`^${name} must be a whole number from `),
      ]);
  });
});

describe("callers and approvers", () => {
  const token = "a-token-of-16-chars";
  it("are read from pairs, split at the first colon", () => {
    const { tokens } = read({ HTTP_TOKENS: `alice:${token}, bob:${token}:2` }).http;
    expect(tokens.map(({ name, secret }) => [name, secret.reveal()])).toEqual([
      ["alice", token],
      ["bob", `${token}:2`],
    ]);
  });

  it.each<[string, Environment, RegExp]>([
    [
      "share a secret [approvers.disjoint]",
      { HTTP_TOKENS: `a:${token}`, APPROVERS: `b:${token}` },
      /^APPROVERS gives "b" the secret of "a" in HTTP_TOKENS/,
    ],
    [
      "share the intake's token",
      { INGEST_HTTP_PORT: "0", INGEST_HTTP_TOKEN: token, APPROVERS: `b:${token}` },
      /^APPROVERS gives "b" the secret of INGEST_HTTP_TOKEN/,
    ],
    ["share a name", { HTTP_TOKENS: `a:${token},a:${token}2` }, /^HTTP_TOKENS names "a" twice$/],
    [
      "share a token",
      { HTTP_TOKENS: `a:${token},b:${token}` },
      /^HTTP_TOKENS gives "b" a secret that another name has$/,
    ],
    [
      "have a short token",
      { HTTP_TOKENS: "a:short" },
      /^HTTP_TOKENS needs a secret of at least 16 characters for "a"$/,
    ],
    [
      "have a short secret",
      { APPROVERS: "a:123456789012345" },
      /^APPROVERS needs a secret of at least 16 characters for "a"$/,
    ],
    ["have no name", { APPROVERS: "just-a-secret" }, /^APPROVERS must be `name:secret` pairs/],
    [
      "pose as the caller over stdio",
      { HTTP_TOKENS: `local:${token}` },
      /^HTTP_TOKENS must not use the name "local"/,
    ],
  ])("are refused if they %s", (_, env, expected) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(expected)]);
  });
});

describe("the prefix of incoming mail", () => {
  const s3 = { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "k", S3_SECRET_ACCESS_KEY: "s" };
  it.each([
    ["files", ""],
    ["files/inbox", ""],
    ["mail/raw", ""],
    ["undo", ""],
    ["audit", ""],
    ["me", "me/"],
    ["me/files/in", "me"],
  ])("is refused if it overlaps with ours: %s with S3_PREFIX %j", (intake, prefix) => {
    const problems = problemsOf({ ...s3, INGEST_BUCKET_PREFIX: intake, S3_PREFIX: prefix });
    expect(problems[0]).toMatch(/^INGEST_BUCKET_PREFIX overlaps with /);
  });

  it.each([
    ["incoming", ""],
    ["files", "me/"],
    ["files2", ""],
  ])("is accepted beside ours: %s with S3_PREFIX %j", (intake, prefix) => {
    const config = read({ ...s3, INGEST_BUCKET_PREFIX: intake, S3_PREFIX: prefix });
    expect(config.ingest.bucketPrefix).toBe(`${intake}/`);
  });
});

describe("URLs", () => {
  it.each([
    ["PUBLIC_URL", "http://example.org"],
    ["CALDAV_URL", "ftp://example.org"],
    ["CALDAV_URL", "https://me:hunter2@example.org"],
    ["DATABASE_URL", "libsql://db.example.org?authToken=hunter2"],
    ["DATABASE_URL", "file:"],
    ["DATABASE_URL", "file:~/my.db"],
    ["DATABASE_URL", "postgres://db"],
  ])("are refused in the wrong form or with a password: %s=%s", (name, value) => {
    const problems = problemsOf({ [name]: value }).filter((line) =>
      line.startsWith(`${name} must be`),
    );
    expect(problems).toHaveLength(1);
  });
});

describe("the error", () => {
  const env = {
    SMTP_PORT: "hunter2",
    LOG_LEVEL: "hunter2",
    APPROVERS: "a:hunter2",
    HTTP_TOKENS: "hunter2,b:hunter2",
    TAVILY_BASE_URL: "https://hunter2:hunter2@example.org",
    CALDAV_PASSWORD: "hunter2",
  };

  it("reports every problem together [settings.all-problems]", () => {
    const names = problemsOf(env).map((line) => line.split(" ")[0]);
    expect(new Set(names)).toEqual(
      new Set([
        "SMTP_PORT",
        "LOG_LEVEL",
        "APPROVERS",
        "HTTP_TOKENS",
        "TAVILY_BASE_URL",
        "TAVILY_API_KEY",
        "CALDAV_USERNAME",
        "CALDAV_CALENDAR",
        "INGEST_RECIPIENTS",
      ]),
    );
  });

  it("never holds a value [secrets.silent]", () => {
    expect(() => read(env)).toThrow(ConfigError);
    expect(problemsOf(env).join()).not.toContain("hunter2");
  });
});

describe("a secret", () => {
  it("is never printed, in any form of a configuration", () => {
    const config = read({ TAVILY_API_KEY: "hunter2", APPROVERS: "a:hunter2hunter2hunter2" });
    const inspected = inspect(config, { depth: 9, showHidden: true });
    for (const text of [JSON.stringify(config), inspected, String(config.webSearch?.apiKey)]) {
      expect(text).toContain("[secret]");
      expect(text).not.toContain("hunter2");
    }
    expect(config.webSearch?.apiKey.reveal()).toBe("hunter2");
  });
});
