import type { ClientReport } from "../../core/shared/client-report.ts";

/** Reports of the observed behaviour of clients, by name and version. Errors: `unavailable`. */
export interface ClientMemory {
  /** Replaces the report of this name and version. At the limit, the oldest report is deleted. */
  keep(report: ClientReport): Promise<void>;
  find(name: string, version: string): Promise<ClientReport | undefined>;
  /** Lists the newest first. */
  list(): Promise<readonly ClientReport[]>;
}
