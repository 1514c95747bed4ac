import type { Log } from "../../core/shared/log.ts";
import type { Secret } from "../../core/shared/secret.ts";

/** How we show the server who we are. */
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
  /** The one calendar: its name, or its address where two share a name. */
  calendar: string;
  /** Besides the host of `url`: `host`, or `.suffix` for every host below it. */
  allowedHosts: readonly string[];
  log: Log;
  /** Milliseconds for everything that one operation asks of the server. */
  budgetMs?: number;
  /** Resolves after so many milliseconds; tests bring their own. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}
