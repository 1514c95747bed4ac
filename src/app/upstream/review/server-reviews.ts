import { visible } from "../../../core/shared/text/visible.ts";
import type { Config } from "../../../config.ts";
import { fingerprintOf } from "../../../core/shared/digest.ts";
import type { Log } from "../../../core/shared/log.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import type {
  ReviewDecision,
  ServerReviews,
  ServerState,
  ShownReview,
} from "../../../ports/upstream/server-reviews.ts";
import type { ServerEntry } from "../../../ports/upstream/upstream-server.ts";
import type { Pins } from "../../../upstream/pins.ts";
import {
  type ReviewItem,
  definitionLines,
  leftOutSentence,
  reviewDigest,
  reviewOf,
} from "../../../upstream/review.ts";
import type { Stores } from "../../compose/open/open-stores.ts";
import { settingOf } from "../../../upstream/tool-settings.ts";
import { ConfigError } from "../../../config/config-error.ts";
import { readPins } from "../pin-file.ts";
import { acceptReview, refuseReview } from "./accept-review.ts";
import type { ToolsForReview } from "./list-for-review.ts";

/** The tools that a server listed for a review. */
interface Listed extends ToolsForReview {
  identity: string;
}

/**
 * Returns the reviews for the approval page. A listing is kept in this process until it is decided.
 * @param settings.servers returns the servers as they are configured now
 */
export function createServerReviews(settings: {
  servers: () => readonly ServerEntry[];
  config: Config;
  stores: Pick<Stores, "audit" | "rules">;
  log: Log;
}): ServerReviews {
  const { servers, config, stores, log } = settings;
  const { dataDir } = config;
  const { audit } = stores;
  const kept = new Map<string, Listed>();
  const failures = new Map<string, { identity: string; failure: string }>();
  const reading = new Map<string, Promise<void>>();

  /** Returns the items as they are now: the pins or `servers.json` may have changed since the listing. */
  function itemsOf(entry: ServerEntry): readonly ReviewItem[] | undefined {
    const listed = kept.get(entry.name);
    if (listed === undefined || listed.identity !== entry.identity) return undefined;
    const pins = readPins(dataDir).servers[entry.name];
    const known = pins?.identity === entry.identity ? pins : undefined;
    return reviewOf(entry, known, listed.tools, listed.faulty);
  }

  /** Returns the lines of the rules that apply now, because the policy file may have changed since the listing. */
  async function rulesFor(items: readonly ReviewItem[]): Promise<readonly string[]> {
    const { rulesAfterReview } = await import("./rules-after-review.ts");
    return (await rulesAfterReview(items, config, stores)).lines;
  }

  function failureOf({ name, identity }: ServerEntry): Pick<ServerState, "failure"> {
    const last = failures.get(name);
    return last?.identity === identity ? { failure: last.failure } : {};
  }

  /** Requests are decided on the same page, which must not fail with this file. */
  function pinsOrProblem(): Pins | string {
    try {
      return readPins(dataDir);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
  }

  async function read(entry: ServerEntry): Promise<void> {
    const { name, identity } = entry;
    failures.delete(name);
    try {
      const { listForReview } = await import("./list-for-review.ts");
      kept.set(name, { identity, ...(await listForReview(entry, { dataDir, log })) });
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown;
      failures.set(name, { identity, failure: thrown.message });
    }
  }

  return {
    servers: () => {
      const pins = pinsOrProblem();
      const states = servers().map((entry): ServerState => {
        if (typeof pins !== "string") return { ...stateOf(entry, pins), ...failureOf(entry) };
        const place = visible(entry.place);
        return { name: entry.name, place, state: pins, waits: false, isUsable: false };
      });
      return Promise.resolve(states);
    },
    readTools: async (name) => {
      const entry = servers().find((one) => one.name === name);
      if (entry === undefined || entry.problem !== undefined) {
        const reason = entry?.problem ?? `There is no server ${name}.`;
        throw new ToolError("not_configured", `${reason} Nothing was started.`);
      }
      const started = reading.get(name) ?? read(entry).finally(() => reading.delete(name));
      reading.set(name, started);
      await started;
    },
    shown: async () => {
      const reviews = servers().map(async (entry) => {
        const items = itemsOf(entry);
        const { leftOut = [] } = kept.get(entry.name) ?? {};
        if (items === undefined) return [];
        return [shownReview(entry.name, items, { leftOut, rules: await rulesFor(items) })];
      });
      return (await Promise.all(reviews)).flat();
    },
    decide: async (name, { digest, by, risks }) => {
      const entry = servers().find((one) => one.name === name);
      const items = entry && itemsOf(entry);
      if (entry === undefined || items === undefined) return false;
      if (reviewDigest(items, await rulesFor(items)) !== digest) return false;
      const reviewer = { audit, by, channel: "page", digest } as const;
      if (risks === undefined) await refuseReview(entry, reviewer);
      else await acceptReview(entry, withRisks(items, risks), { dataDir, ...reviewer });
      kept.delete(name);
      return true;
    },
  };
}

function shownReview(
  server: string,
  items: readonly ReviewItem[],
  { leftOut, rules }: { leftOut: readonly string[]; rules: readonly string[] },
): ShownReview {
  const digest = reviewDigest(items, rules);
  const tools = items.map((item) => {
    const { name, state, risk, isFixed } = item;
    return { name, state, risk, isFixed, lines: definitionLines(item) };
  });
  const others = leftOut.length === 0 ? {} : { leftOut: leftOutSentence(leftOut) };
  return { server, digest, fingerprint: fingerprintOf(server, digest), tools, rules, ...others };
}

function withRisks(
  items: readonly ReviewItem[],
  risks: NonNullable<ReviewDecision["risks"]>,
): readonly ReviewItem[] {
  return items.map((item, index) => {
    const risk = risks[index];
    if (item.isFixed || risk === undefined) return item;
    return risk === "off" ? { ...item, state: "off" } : { ...item, risk };
  });
}

function stateOf(entry: ServerEntry, pins: Pins): ServerState {
  const { name, problem } = entry;
  const known = pins.servers[name];
  const is = (state: string, waits: boolean): ServerState => ({
    name,
    place: visible(entry.place),
    state,
    waits,
    isUsable: problem === undefined,
  });
  if (problem !== undefined) return is(problem, false);
  if (known === undefined) return is("Its tools have not been reviewed yet.", true);
  if (known.identity !== entry.identity)
    return is("It has another command or address than when it was reviewed.", true);
  const different = Object.entries(known.seen).filter(
    ([tool, seen]) => seen !== null && settingOf(tool, entry.tools) !== "off",
  ).length;
  const offered = Object.keys(known.tools).filter(
    (tool) => !Object.hasOwn(known.seen, tool) && settingOf(tool, entry.tools) !== "off",
  ).length;
  const counted = offered === 1 ? "1 tool is offered" : `${offered} tools are offered`;
  const waiting =
    different === 1 ? "1 new or changed tool waits" : `${different} new or changed tools wait`;
  return different === 0
    ? is(`${counted}.`, false)
    : is(`${counted}, and ${waiting} for a review.`, true);
}
