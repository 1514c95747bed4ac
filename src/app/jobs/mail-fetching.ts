import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { startLeaderElection, type LeaderElection } from "../../ingest/pipeline/leader-election.ts";
import { type Leases, residentRole } from "../../ports/leases.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Stores } from "../compose/open-stores.ts";
import type { LeaderJobs } from "./leader-jobs.ts";
import { ownCommand } from "../platform/own-command.ts";

/** PRODUCT section 4. A client that only probes a server is gone by then. Milliseconds. */
const takeAfterMs = 10_000;

/** How old the answer to "is anybody fetching" may be: a search should not pay for it each time. Milliseconds. */
const knownForMs = 2_000;

const notice = (): string =>
  `Nobody fetches mail at the moment, so newer mail may be missing. The user can start \`${ownCommand()} ingest\`.`;

export interface MailFetching {
  /** The tools, of which those that read mail say when nobody fetches it. */
  tools: readonly Tool<Ports>[];
  /** Something was called: from now on this process may become the one that fetches. */
  called(): void;
  /**
   * A person is asked whom only another approval channel than the client reaches. Where that is Telegram, ten seconds would be most of the
   * time that the call waits, and a probe asks nobody anything: the role is taken at once.
   */
  asked(): void;
  close(): Promise<void>;
}

/** Lets `serve` become the leader if there is none, and say in results that there is none. */
export function openMailFetching(
  tools: readonly Tool<Ports>[],
  of: { leases: Leases; holder: string; config: Config; stores: Stores; log: Log },
): MailFetching {
  const { leases, holder, config, stores, log } = of;
  let isFetched = true;
  let known: { at: number; asking: Promise<void> } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let resident: LeaderElection | undefined;
  let duties: LeaderJobs | undefined;

  function ask(): Promise<void> {
    if (known === undefined || performance.now() > known.at + knownForMs) {
      const asking = leases.isHeld(residentRole).then(
        (isHeld) => void (isFetched = isHeld),
        // Whoever cannot ask says nothing about it: the call itself tells that the database is away.
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
        return isFetched ? text : { ...text, notices: [...(text.notices ?? []), notice()] };
      },
    };
  }

  function start(): void {
    clearTimeout(timer);
    resident ??= startLeaderElection({ leases, holder, begin, log });
  }

  /** A server that never has the role never loads what reads mail or speaks with Telegram. */
  async function begin() {
    const [{ openIngest }, { beginDuties }] = await Promise.all([
      import("../compose/open-ingest.ts"),
      import("./leader-jobs.ts"),
    ]);
    const ingest = openIngest(config, log);
    const begun = await beginDuties(ingest, { config, stores, log });
    duties = begun;
    return {
      close: async () => {
        duties = undefined;
        await begun.close();
        await ingest.close();
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
      duties?.wake();
    },
    close: async () => {
      clearTimeout(timer);
      await resident?.close();
    },
  };
}
