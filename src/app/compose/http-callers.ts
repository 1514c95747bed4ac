import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import { type Caller, tokenHash } from "../../mcp/http/callers.ts";
import { writeOnce } from "../platform/write-file.ts";
import { readIfPresent } from "../platform/safe-file.ts";

/** The caller with the generated token. */
const generatedCaller = "owner";

/**
 * Returns the callers over HTTP: those of `HTTP_TOKENS`, or one with a generated token that is printed once and stored
 * as a hash. With OAuth clients sign in, and no token is generated.
 * @throws ConfigError
 */
export function httpCallers(
  { http, dataDir }: Config,
  tell: (message: string) => void,
): readonly Caller[] {
  if (http.tokens.length > 0) {
    return http.tokens.map(({ name, secret }) => ({
      principal: name,
      tokenHash: tokenHash(secret.reveal()),
    }));
  }
  const path = join(dataDir, "http-token.sha256");
  const kept = read(path);
  if (kept === undefined && http.oauth !== undefined) return [];
  const token = randomBytes(32).toString("base64url");
  const mine = Buffer.from(tokenHash(token)).toString("hex");
  // If another process writes its token first, that token is valid, and that process prints it.
  if (kept === undefined && writeOnce(path, `${mine}\n`)) {
    tell(
      `HTTP_TOKENS is not set, so a token was made for the caller "${generatedCaller}". It is shown only once:\n\n  ${token}\n\n` +
        `To get another token, remove ${path} and start again.`,
    );
  }
  const hash = Buffer.from(kept ?? read(path) ?? "", "hex");
  if (hash.length === tokenHash("").length)
    return [{ principal: generatedCaller, tokenHash: hash }];
  throw problem(path, "is damaged; remove it, and the next start makes a new token");
}

function read(path: string): string | undefined {
  return readIfPresent(path)?.toString().trim();
}

function problem(path: string, text: string): ConfigError {
  return new ConfigError([{ setting: path, problem: text }]);
}
