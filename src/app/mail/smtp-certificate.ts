import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";

type Files = NonNullable<NonNullable<Config["smtp"]>["tls"]>;

export interface Pair {
  cert: string;
  key: string;
}

/** Hourly is enough, because certificates are renewed weeks before they expire. Milliseconds. */
const checkEveryMs = 3_600_000;

/**
 * Reads a certificate and its key.
 * @throws ToolError `not_configured` if a file is unreadable or the two do not match
 */
export async function readPair(files: Files): Promise<Pair> {
  const read = async (setting: string, path: string): Promise<string> => {
    try {
      return await readFile(path, "utf8");
    } catch (cause) {
      throw new ToolError("not_configured", `${setting}: ${path} cannot be read.`, { cause });
    }
  };
  const pair = {
    cert: await read("SMTP_TLS_CERT", files.certFile),
    key: await read("SMTP_TLS_KEY", files.keyFile),
  };
  try {
    createSecureContext(pair);
  } catch (cause) {
    throw new ToolError(
      "not_configured",
      "SMTP_TLS_CERT, SMTP_TLS_KEY: these files are not a certificate and its key in PEM format.",
      { cause },
    );
  }
  return pair;
}

/**
 * Checks for a renewed certificate every hour, and immediately after SIGHUP. An invalid one is ignored, and the old one
 * stays in use.
 */
export function watchPair(
  files: Files,
  pair: Pair,
  { renew, log }: { renew: (pair: Pair) => void; log: Log },
): { close(): void } {
  let known = pair;
  const reload = (): void => {
    readPair(files).then(
      (found) => {
        if (found.cert === known.cert && found.key === known.key) return;
        known = found;
        renew(found);
        log.info("the certificate for SMTP was renewed");
      },
      (cause: unknown) => log.error("the certificate for SMTP was not renewed", { cause }),
    );
  };
  const timer = setInterval(reload, checkEveryMs).unref();
  process.on("SIGHUP", reload);
  return {
    close: () => {
      clearInterval(timer);
      process.off("SIGHUP", reload);
    },
  };
}
