import type { Log } from "../../core/shared/log.ts";
import type { Secret } from "../../core/shared/secret.ts";

/** The credentials for the server. */
export type CaldavAuth =
  | { kind: "basic"; password: Secret }
  | {
      kind: "oauth";
      clientId: string;
      clientSecret: Secret;
      refreshToken: Secret;
      tokenUrl: string;
    };

export interface CaldavSettings {
  url: string;
  username: string;
  auth: CaldavAuth;
  /** The name of the one calendar, or its URL if the name is not unique. */
  calendar: string;
  /** Hosts besides that of `url`: `host`, or `.suffix` for every host below it. */
  allowedHosts: readonly string[];
  log: Log;
  /** Milliseconds for all requests of one operation. */
  budgetMs?: number;
  /** Resolves after this many milliseconds. Replaced in tests. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}
