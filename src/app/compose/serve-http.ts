import type { Config } from "../../config.ts";
import { createGuessLimit } from "../../core/network-limits/guess-limit.ts";
import type { Log } from "../../core/shared/log.ts";
import { clientOrigins } from "../../mcp/http/cross-origin.ts";
import { type HttpSettings, openHttp } from "../../mcp/http/open-http.ts";
import type { SignIn } from "../../mcp/http/routes.ts";
import { createMcpServer } from "../../mcp/server.ts";
import { httpCallers } from "./http-callers.ts";
import { createLog } from "../platform/log.ts";
import { withListenErrors, listenAddressOf } from "../platform/listening.ts";
import { createBackend } from "./create-backend.ts";
import type { CallRuntime } from "./call-runtime.ts";
import { ownCommand } from "../platform/own-command.ts";
import { startLeaderJobs } from "../leader/serving-leader.ts";
import { openPolicy } from "./policy/open-policy.ts";
import { openUpstream } from "../upstream/open-upstream.ts";
import { loadSettings } from "../platform/settings.ts";
import { stopSignal } from "../platform/stop-signal.ts";
import type { People } from "../page/web-page.ts";

/** A stop waits this long for slow clients to read finished responses. Milliseconds. */
const sendWithinMs = 2_000;

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Serves MCP over HTTP until a signal arrives. Command-line options override settings. */
export async function serveHttp(options: {
  envFile: string | undefined;
  host: string | undefined;
  port: string | undefined;
}): Promise<number> {
  const config = loadSettings({
    envFile: options.envFile,
    overrides: { HTTP_HOST: options.host, HTTP_PORT: options.port },
  });
  const log = createLog(config.logLevel);
  const stopped = stopSignal();
  const callers = httpCallers(config, console.error);
  const pageUrl = pageUrlOf(config);
  const upstream = await openUpstream(config, log, options.envFile);
  const policy = await openPolicy(config, log, upstream);
  const opened = createBackend(config, log, {
    pageUrl,
    policy,
    upstream,
    startJobs: startLeaderJobs,
  });
  try {
    const runtime = await opened.runtime();
    const guesses = createGuessLimit(() => performance.now());
    const web = pageUrl === undefined ? undefined : await import("../page/web-page.ts");
    const people = pageUrl && web ? web.openPeople(pageUrl, config, runtime, guesses) : undefined;
    const page =
      pageUrl && people && web?.webPage(pageUrl, config, runtime, { people, upstream, log });
    const settings: HttpSettings = {
      ...config.http,
      hostNames: hostNames(config),
      origins: config.http.allowedOrigins ?? (config.http.oauth ? clientOrigins : []),
      // The server itself has no TLS, so an https address means a proxy in front of it.
      behindProxy: config.http.publicUrl !== undefined,
      callers,
      serverFor: (connection) => createMcpServer(opened.mcp, connection),
      onToolsChanged: (changed) => opened.mcp.tools.subscribe(changed),
      guesses,
      signIn: await openSignIn(config, runtime, people, log),
      mounts: page ? { approvals: page } : {},
      isHealthy: async () => {
        await runtime.stores.tickets.find("healthz");
        return true;
      },
      log,
    };
    const http = await withListenErrors(listenAddressOf("HTTP", config.http), () =>
      openHttp(settings),
    );
    const { host, publicUrl } = config.http;
    const at = host.includes(":") ? `[${host}]` : host;
    console.error(
      `MCP over HTTP at http://${at}:${http.port}/mcp` +
        (publicUrl === undefined ? "" : `, and at ${publicUrl}/mcp for other machines`),
    );
    if (pageUrl === undefined) {
      log.warn(
        `there is no approval page at this address: it needs PUBLIC_URL and APPROVERS. To open it on this machine: ${ownCommand()} approvals open`,
      );
    }
    await stopped;
    await http.refuseNew();
    await opened.settle();
    await http.drained(sendWithinMs);
    await http.close();
  } finally {
    await opened.close();
  }
  return 0;
}

/** Opens the sign-in of remote clients. Its code is loaded with `OAUTH=on` only. */
async function openSignIn(
  { http: { oauth, publicUrl }, approvals: { approvers } }: Config,
  { stores }: CallRuntime,
  people: People | undefined,
  log: Log,
): Promise<SignIn | undefined> {
  if (oauth === undefined || publicUrl === undefined) return undefined;
  const { origin } = new URL(publicUrl);
  if (oauth.issuer !== undefined) {
    const { createOtherIssuer } = await import("./other-issuer.ts");
    const { issuer, audience = `${origin}/mcp`, callerClaim } = oauth;
    return createOtherIssuer({ issuer, audience, callerClaim, publicOrigin: origin }, log);
  }
  // The settings were checked: our own server has approvers.
  if (people === undefined) return undefined;
  const { createSignIn } = await import("./sign-in.ts");
  return createSignIn({ issuer: origin, approvers }, stores, { ...people, log });
}

/**
 * Returns the page's address if people can sign in there. They need an approver's secret and its public address: a
 * session cookie requires https, and on loopback it would reach every port of this machine.
 */
function pageUrlOf({ http: { publicUrl }, approvals: { approvers } }: Config): string | undefined {
  return publicUrl === undefined || approvers.length === 0 ? undefined : `${publicUrl}/approvals`;
}

function hostNames({ http }: Config): readonly string[] {
  if (http.allowedHosts !== undefined) return http.allowedHosts;
  const own = http.publicUrl === undefined ? [] : [new URL(http.publicUrl).hostname];
  return [...loopbackNames, ...own];
}
