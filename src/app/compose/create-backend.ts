import type { Config } from "../../config.ts";
import { type Listing, repeatOnceApproved } from "../../core/tool/catalog.ts";
import type { Log } from "../../core/shared/log.ts";
import { type DeclaredRisk, type Risk, stricter } from "../../core/policy/risk.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { McpBackend, Offer } from "../../mcp/server.ts";
import { createToolList } from "../../mcp/tool-list.ts";
import type { Ports } from "../../ports/ports.ts";
import { installKeys } from "../platform/install-secret.ts";
import type { Upstream } from "../upstream/open-upstream.ts";
import type { StartLeaderJobs } from "../leader/leader-election.ts";
import { instructions } from "./instructions.ts";
import type { CallRuntime } from "./call-runtime.ts";
import type { LivePolicy } from "./policy/live-policy.ts";
import { prompts } from "./prompts.ts";
import { isConfigured } from "./configured-ports.ts";
import { readRegistry } from "./read-registry.ts";
import { version } from "../platform/version.ts";

export interface Backend {
  mcp: McpBackend;
  /** Returns the runtime for calls, which is loaded and opened at the first request. */
  runtime(): Promise<CallRuntime>;
  /** Answers every open call now. A call that waits for a person is answered with its request, which stays open. */
  settle(): Promise<void>;
  /** Call `settle` first. */
  close(): Promise<void>;
}

/**
 * Creates the backend of `serve` for any transport. A start reads only the settings and the registry of tools, and
 * loads neither tools nor stores. Clients start a server twice to probe it, and every session waits for the list.
 * @param options.extra tools in addition to the catalog with their listings, for benchmarks
 * @param options.opensPage true if this process may open the person's browser on its own approval page
 * @param options.pageUrl the address where people sign in to decide, over HTTP
 * @param options.upstream servers whose reviewed tools are offered too
 * @param options.policy the policy file, if there is one
 * @param options.startJobs lets this process become the leader, which starts its jobs with it
 */
export function createBackend(
  config: Config,
  log: Log,
  options: {
    extra?: readonly { tool: Tool<Ports>; listing: Listing }[];
    opensPage?: boolean;
    pageUrl?: string | undefined;
    policy?: LivePolicy | undefined;
    upstream?: Upstream | undefined;
    startJobs?: StartLeaderJobs | undefined;
  } = {},
): Backend {
  const { extra = [], opensPage = false, pageUrl, policy, upstream, startJobs } = options;
  const registry = readRegistry();
  // Reads the keys early, so that a damaged key file fails the start and not the first call.
  installKeys(config.dataDir);
  const known = [...registry.values(), ...extra.map(({ tool, listing }) => ({ ...tool, listing }))];
  const listed = known.filter(({ needs }) => needs.every((need) => isConfigured(need, config)));
  let opening: Promise<CallRuntime> | undefined;
  let runtime: CallRuntime | undefined;

  const loadRuntime = (): Promise<CallRuntime> =>
    (opening ??= Promise.all([
      import("./call-runtime.ts"),
      upstream && import("../upstream/upstream-runtime.ts"),
    ]).then(
      ([{ createCallRuntime }, servers]) =>
        (runtime = createCallRuntime({
          upstream:
            upstream && servers?.createUpstreamRuntime(upstream, { dataDir: config.dataDir, log }),
          config,
          registry,
          listed: configured,
          extra: extra.map(({ tool }) => tool),
          opensPage,
          pageUrl,
          policy,
          startJobs,
          log,
        })),
    ));
  /** A failure to open was already reported to the caller that needed it. */
  const opened = async (): Promise<CallRuntime | undefined> =>
    await opening?.catch(() => undefined);
  const ready = async (): Promise<void> => {
    await loadRuntime().catch((cause: unknown) => log.error("no call can be answered", { cause }));
  };

  const configured = new Set(listed.map(({ name }) => name));
  const own = listed.map(({ listing }) => listing);
  const allListings = (): readonly Listing[] => [...own, ...(upstream?.listings() ?? [])];
  const tools = createToolList(allListings());
  upstream?.onChange(() => tools.replace(allListings()));
  const offer = policy && offerBy(policy);
  policy?.onChange(() => tools.changed());
  const listingsFor = (principal: string): readonly Listing[] =>
    offer === undefined ? tools.current() : offer(tools.current(), { principal });

  return {
    mcp: {
      version: version(),
      instructions: (principal) =>
        instructions(
          registry,
          listingsFor(principal),
          configured,
          (name) => policy?.current().effectiveFor(principal).denies(name) ?? false,
        ),
      tools,
      ...(offer && { offer }),
      pages: registry,
      prompts: (principal) => prompts(listingsFor(principal)),
      answer: (call) =>
        runtime?.answer(call) ?? loadRuntime().then((opened) => opened.answer(call)),
      // Loads after the response has been sent, so that the list is not delayed.
      listed: () => void (opening ?? setImmediate(() => void ready())),
    },
    runtime: loadRuntime,
    settle: async () => await (await opened())?.settle(),
    close: async () => {
      policy?.close();
      upstream?.close();
      await (await opened())?.close();
    },
  };
}

/** Returns the tools that a caller may call, with their risk under the policy. */
function offerBy(policy: LivePolicy): Offer {
  return (listings, { principal, client }) => {
    const effective = policy.current().effectiveFor(principal, client);
    return listings
      .filter(({ name }) => !effective.denies(name))
      .map((each) => withFloor(each, effective.floorOf(each.name)));
  };
}

/** Returns a tool with its risk under a floor. Its description was not written for a call that waits for approval. */
function withFloor(each: Listing, floor: Risk): Listing {
  const risk = raised(each.risk, floor);
  if (risk !== "high" || each.risk === "high") return { ...each, risk };
  const description = `${each.description} ${repeatOnceApproved}`;
  return { ...each, risk, description };
}

/** Raises a risk to a floor. `dynamic` is kept unless the floor is `high`. */
function raised(risk: DeclaredRisk, floor: Risk): DeclaredRisk {
  if (risk !== "dynamic") return stricter(risk, floor);
  return floor === "high" ? "high" : "dynamic";
}
