import type { Config } from "../config.ts";
import type { Log } from "../core/log.ts";
import type { Tool } from "../core/tool.ts";
import { startResident, type Resident } from "../ingest/resident.ts";
import { type Leases, residentRole } from "../ports/leases.ts";
import type { Ports } from "../ports/ports.ts";

/** PRODUCT section 4. A client that only probes a server is gone by then. Milliseconds. */
const takeAfterMs = 10_000;

/** How old the answer to "is anybody fetching" may be: a search should not pay for it each time. Milliseconds. */
const knownForMs = 2_000;

const notice =
  "Nobody fetches mail at the moment, so newer mail may be missing: countersign ingest is not running.";

export interface MailFetching {
  /** The tools, of which those that read mail say when nobody fetches it. */
  tools: readonly Tool<Ports>[];
  /** Something was called: from now on this process may become the one that fetches. */
  called(): void;
  close(): Promise<void>;
}

/** What `serve` has to do with the resident role: it says that nobody has it, and takes it where nobody does. */
export function openMailFetching(
  tools: readonly Tool<Ports>[],
  { leases, holder, config, log }: { leases: Leases; holder: string; config: Config; log: Log },
): MailFetching {
  let isFetched = true;
  let known: { at: number; asking: Promise<void> } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let resident: Resident | undefined;

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
        return isFetched ? text : { ...text, facts: `${text.facts}\n${notice}` };
      },
    };
  }

  return {
    tools: tools.map(saying),
    called: () => {
      timer ??= setTimeout(() => {
        resident = startResident({
          leases,
          holder,
          // A server that never fetches never loads what reads mail.
          begin: async () => (await import("./open-ingest.ts")).openIngest(config, log),
          log,
        });
      }, takeAfterMs).unref();
    },
    close: async () => {
      clearTimeout(timer);
      await resident?.close();
    },
  };
}
