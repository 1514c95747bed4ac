import { z } from "zod";
import { callTimeouts } from "./servers-file.ts";

const texts = z.record(z.string(), z.string());
const fields = z.looseObject({
  env: texts.optional(),
  env_vars: z.array(z.string()).optional(),
  http_headers: texts.optional(),
  env_http_headers: texts.optional(),
  bearer_token_env_var: z.string().optional(),
  tool_timeout_sec: z.number().positive().optional(),
});

/**
 * Converts an entry of Codex (`[mcp_servers.NAME]` of its `config.toml`) to the form of other clients. Codex names
 * variables in fields of their own. An entry of another form is returned as it is.
 */
export function codexEntry(given: unknown): unknown {
  const read = fields.safeParse(given);
  if (!read.success) return given;
  const { env, env_vars, http_headers, env_http_headers, bearer_token_env_var, ...rest } =
    read.data;
  const { tool_timeout_sec, ...others } = rest;
  const variables = { ...named(env_vars?.map((name) => [name, name])), ...env };
  const headers = {
    ...http_headers,
    ...named(Object.entries(env_http_headers ?? {})),
    ...(bearer_token_env_var !== undefined && {
      Authorization: `Bearer ${variable(bearer_token_env_var)}`,
    }),
  };
  return {
    ...others,
    ...(Object.keys(variables).length > 0 && { env: variables }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(tool_timeout_sec !== undefined && { timeoutMs: withinLimits(tool_timeout_sec * 1_000) }),
  };
}

function named(pairs: readonly (readonly [string, string])[] = []): Record<string, string> {
  return Object.fromEntries(pairs.map(([key, name]) => [key, variable(name)]));
}

const variable = (name: string): string => `\${env:${name}}`;

function withinLimits(ms: number): number {
  return Math.round(Math.min(callTimeouts.most, Math.max(callTimeouts.least, ms)));
}
