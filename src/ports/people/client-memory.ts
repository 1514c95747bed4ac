import type { ClientReport } from "../../core/shared/client-report.ts";

/** Reports of what clients really did, by name and version. Errors: `unavailable`. */
export interface ClientMemory {
  /** Replaces the report of this name and version. The oldest reports give way to newer ones. */
  keep(report: ClientReport): Promise<void>;
  find(name: string, version: string): Promise<ClientReport | undefined>;
  /** Lists the newest first. */
  list(): Promise<readonly ClientReport[]>;
}
