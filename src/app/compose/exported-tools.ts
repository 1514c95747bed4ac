import type { Config } from "../../config.ts";
import { defaultPolicy } from "../../core/policy/policy.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Ports } from "../../ports/ports.ts";
import { catalog } from "../../tools/catalog.ts";
import { isInCatalog } from "./configured-ports.ts";
import { openUpstream } from "../upstream/open-upstream.ts";

export interface ExportedTools {
  tools: readonly Tool<Ports>[];
  /** Ends the thread that checks arguments. Otherwise it keeps the process alive. */
  close(): Promise<void>;
}

/**
 * Opens the tools of the catalog that exist with these settings, and the reviewed tools of upstream servers. Starts no
 * server.
 */
export async function exportedTools(
  config: Config,
  log: Log,
  envFile: string | undefined,
): Promise<ExportedTools> {
  const own = catalog.filter((tool) => isInCatalog(tool, config));
  const upstream = await openUpstream(config, log, envFile);
  if (upstream === undefined) return { tools: own, close: () => Promise.resolve() };
  upstream.close();
  const { createUpstreamRuntime } = await import("../upstream/upstream-runtime.ts");
  const { readResult } = await import("../../upstream/read-result.ts");
  const runtime = createUpstreamRuntime(upstream, { dataDir: config.dataDir, log });
  const anyone = defaultPolicy.effectiveFor("");
  const names = [...upstream.tools().keys()];
  const reviewed = names.flatMap((name) => runtime.source.find(name, anyone) ?? []);
  // Long results of these tools are read on with it. The tools that search are left out, because all are exported.
  const readOn = reviewed.length > 0 ? [readResult] : [];
  return { tools: [...own, ...readOn, ...reviewed], close: () => runtime.close() };
}
