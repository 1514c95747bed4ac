import type { Config } from "../../config.ts";
import type { KnownTool } from "../../core/policy/file/policy-schema.ts";
import { createLog } from "../platform/log.ts";
import { openUpstream } from "./open-upstream.ts";

/** Returns the reviewed tools of upstream servers, which a policy may name. @throws ConfigError */
export async function reviewedNames(config: Config): Promise<readonly KnownTool[]> {
  const upstream = await openUpstream(config, createLog("error"));
  upstream?.close();
  return upstream?.known() ?? [];
}
