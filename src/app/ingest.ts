import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { ToolError } from "../core/tool-error.ts";
import { openSmtpIntake, type SmtpIntake, type SmtpSettings } from "../intake/smtp.ts";
import { createLog } from "./log.ts";
import { openIngest } from "./open-ingest.ts";
import { loadSettings } from "./settings.ts";
import { stopSignal } from "./stop-signal.ts";

const usage = `Usage: countersign ingest [--env-file PATH]

Receives mail, keeps it, and makes it findable, until it is stopped.

  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** The receivers of mail and everything that happens to a message afterwards, until a signal comes. */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { "env-file": { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const { smtp } = config;
  if (smtp === undefined) {
    console.error(
      "INGEST_RECIPIENTS is not set: there is no address that mail would be accepted for. Set it to the address that you forward mail to, or to @your.domain.",
    );
    return 1;
  }
  const log = createLog(config.logLevel);
  const stopped = stopSignal();
  const ingest = openIngest(config, log);
  try {
    const tls = smtp.tls && (await certificate(smtp.tls));
    const intake = await listen({
      ...smtp,
      tls,
      maxBytes: config.ingest.maxBytes,
      keep: ingest.keep,
      log,
    });
    const at = smtp.host.includes(":") ? `[${smtp.host}]` : smtp.host;
    console.error(
      `Accepting mail at ${smtp.protocol}://${at}:${intake.port} for ${smtp.recipients.join(", ")}`,
    );
    await stopped;
    await intake.close();
  } finally {
    await ingest.close();
  }
  return 0;
}

async function listen(settings: SmtpSettings): Promise<SmtpIntake> {
  try {
    return await openSmtpIntake(settings);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const where = `${settings.host}:${settings.port}`;
    const reason =
      code === "EADDRINUSE"
        ? `SMTP_PORT: another program listens at ${where} already`
        : code === "EACCES"
          ? `SMTP_PORT: this user may not listen at ${where}`
          : code === "EADDRNOTAVAIL" || code === "ENOTFOUND"
            ? `SMTP_HOST: ${settings.host} is no address of this machine`
            : `SMTP_HOST, SMTP_PORT: cannot listen at ${where} (${code})`;
    throw new ToolError("not_configured", `${reason}. No mail was accepted.`, { cause });
  }
}

async function certificate(
  files: NonNullable<NonNullable<Config["smtp"]>["tls"]>,
): Promise<{ cert: string; key: string }> {
  const read = async (setting: string, path: string): Promise<string> => {
    try {
      return await readFile(path, "utf8");
    } catch (cause) {
      throw new ToolError("not_configured", `${setting}: ${path} cannot be read.`, { cause });
    }
  };
  return {
    cert: await read("SMTP_TLS_CERT", files.certFile),
    key: await read("SMTP_TLS_KEY", files.keyFile),
  };
}
