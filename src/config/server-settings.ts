import * as v from "./kinds.ts";
import { setting } from "./kinds.ts";

export const http = {
  HTTP_HOST: setting(v.text, "The address to listen on.", "127.0.0.1"),
  HTTP_PORT: setting(v.port, "The port to listen on; 0 chooses a free port.", "8080"),
  // Tokens are pasted and not typed, so a minimum of 16 characters is no burden.
  HTTP_TOKENS: setting(
    v.namedSecrets(16),
    "The callers and their tokens. The name identifies the caller in approval requests and in the audit record.",
    undefined,
    "created and printed at the first start, unless `OAUTH=on`",
  ),
  PUBLIC_URL: setting(v.httpsUrl, "The public address. Required unless `HTTP_HOST` is loopback."),
  OAUTH: setting(
    v.oneOf("on", "off"),
    "Let clients sign in with OAuth, as claude.ai and ChatGPT do. Needs `PUBLIC_URL` and `APPROVERS`.",
    "off",
  ),
  OAUTH_ISSUER: setting(
    v.httpsUrl,
    "Your organisation's own authorization server, exactly as it names itself in its tokens. Needs `OAUTH=on`.",
    undefined,
    "Countersign's own authorization server, where approvers sign in",
  ),
  OAUTH_AUDIENCE: setting(
    v.text,
    "The audience that tokens of `OAUTH_ISSUER` must have.",
    undefined,
    "`PUBLIC_URL` with `/mcp`",
  ),
  OAUTH_CALLER_CLAIM: setting(
    v.text,
    "The claim in tokens of `OAUTH_ISSUER` that names the caller.",
    "sub",
  ),
  ALLOWED_HOSTS: setting(
    v.listOf("host names", (item) =>
      /^[A-Za-z0-9.:[\]-]+$/.test(item) ? item.toLowerCase() : undefined,
    ),
    "The accepted values of the `Host` header.",
    undefined,
    "loopback names and the host of `PUBLIC_URL`",
  ),
  ALLOWED_ORIGINS: setting(
    v.listOf("origins such as `https://host`", (item) =>
      URL.canParse(item) && new URL(item).origin === item ? item : undefined,
    ),
    "Origins of web pages that may send MCP requests. Pages of `ALLOWED_HOSTS` always may.",
    undefined,
    "with `OAUTH=on` `https://claude.ai`, `https://claude.com` and `https://chatgpt.com`, else none",
  ),
};

export const upstream = {
  SERVERS_FILE: setting(
    v.path,
    "The file of upstream MCP servers (JSON), whose tools are offered after a review.",
    undefined,
    "`servers.json` in the data directory, if it exists",
  ),
  TOOL_LIST_TOKENS: setting(
    v.integer(0, 1_000_000),
    "The limit on tokens of listed upstream tools. Above it, the assistant finds tools with `find_tools`.",
    "12000",
  ),
};
