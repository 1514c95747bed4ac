import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Tool } from "../../core/tool/tool.ts";
import {
  startLeaderElection,
  type LeaderElection,
  type LeaderJobs,
  type StartLeaderJobs,
} from "../leader/leader-election.ts";
import { type Leases, leaderRole } from "../../ports/leases.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { ownCommand } from "../platform/own-command.ts";

/** Time from the first call to the start. A client that only probes a server has disconnected by then. Milliseconds. */
const takeAfterMs = 10_000;

/** Whether a leader exists is cached for this long, so that a search does not query it each time. Milliseconds. */
const knownForMs = 2_000;

const notice = (onServer: string): string =>
  `No process fetches mail at the moment, so newer mail may be missing. The user can start \`${ownCommand()} ingest\`${onServer}.`;

export interface MailFetching {
  /** The tools. Results of those that read mail state if no process fetches mail. */
  tools: readonly Tool<Ports>[];
  /** Records a call. From then on this process may become the leader. */
  called(): void;
  /**
   * Records a request that only Telegram can bring to the person. The process tries to become the leader immediately,
   * because the usual delay is too long for a waiting call, and a probing client makes no requests.
   */
  asked(): void;
  close(): Promise<void>;
}

/** Lets `serve` become the leader if there is none, and states in results that there is none. */
export function openMailFetching(
  tools: readonly Tool<Ports>[],
  of: {
    leases: Leases;
    holder: string;
    /** Undefined if this process must not become the leader. */
    startJobs: StartLeaderJobs | undefined;
    config: Config;
    stores: Stores;
    log: Log;
    /** True if callers may be on other machines than this program. */
    isRemote: boolean;
  },
): MailFetching {
  const { leases, holder, startJobs, config, stores, log } = of;
  const onServer = of.isRemote ? " on the server" : "";
  let isFetched = true;
  let known: { at: number; asking: Promise<void> } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let election: LeaderElection | undefined;
  let jobs: LeaderJobs | undefined;

  function ask(): Promise<void> {
    if (known === undefined || performance.now() > known.at + knownForMs) {
      const asking = leases.isHeld(leaderRole).then(
        (isHeld) => void (isFetched = isHeld),
        // An unreachable database leaves the cached value. The call itself reports it.
        () => undefined,
      );
      known = { at: performance.now(), asking };
    }
    return known.asking;
  }

  function saying(tool: Tool<Ports>): Tool<Ports> {
    if (!tool.needs.includes("mail")) return tool;
    return {
      ...tool,
      execute: async (args, context) => {
        const [output] = await Promise.all([tool.execute(args, context), ask()]);
        return output;
      },
      text: (output, args) => {
        const text = tool.text(output, args);
        // A tool's notice contains `countersign`. It is replaced with the command that a person can type here.
        const notices = text.notices?.map((said) =>
          said.replace(" with: countersign mail", `${onServer} with: ${ownCommand()} mail`),
        );
        if (isFetched) return notices === undefined ? text : { ...text, notices };
        return { ...text, notices: [...(notices ?? []), notice(onServer)] };
      },
    };
  }

  function start(): void {
    clearTimeout(timer);
    if (startJobs === undefined) return;
    election ??= startLeaderElection({ leases, holder, begin: () => begin(startJobs), log });
  }

  async function begin(starting: StartLeaderJobs) {
    const begun = await starting(config, stores, log);
    jobs = begun;
    return {
      close: async () => {
        jobs = undefined;
        await begun.close();
      },
    };
  }

  return {
    tools: tools.map(saying),
    called: () => {
      timer ??= setTimeout(start, takeAfterMs).unref();
    },
    asked: () => {
      if (config.telegram === undefined) return;
      start();
      jobs?.wake();
    },
    close: async () => {
      clearTimeout(timer);
      await election?.close();
    },
  };
}
