import { withDeadline } from "./deadline.ts";
import type { Log } from "./log.ts";
import { ToolError } from "./tool-error.ts";
import type { Prepared, Tool } from "./tool.ts";

type Data = Readonly<Record<string, unknown>>;

/** For whom a tool works, and who may call it off. */
interface Caller {
  principal: string;
  signal: AbortSignal | undefined;
}

/** The tools' own functions, each within its time and checked. */
export interface Work<Ports> {
  /** Looks, and changes nothing. */
  prepare(tool: Tool<Ports>, args: Data, caller: Caller): Promise<Prepared<Data>>;
  /** Runs the tool and checks what it answers. */
  execute(
    tool: Tool<Ports>,
    args: Data,
    caller: Caller & { target: string | undefined },
  ): Promise<Data>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

interface WorkSettings {
  timeoutMs: number;
  log: Log;
  now?: () => number;
}

/** A look-up that takes longer than this is felt in a conversation, so the log tells of it. Milliseconds. */
const slowRetrievalMs = 2_000;

/** `timeoutMs`: for one prepare or one execute. `now`: a clock in milliseconds that only goes forward. */
export function createWork<Ports>(
  ports: Ports,
  { timeoutMs, log, now = () => performance.now() }: WorkSettings,
): Work<Ports> {
  const inFlight = new Set<Promise<unknown>>();

  async function timed<T>(
    tool: Tool<Ports>,
    acts: boolean,
    callerSignal: AbortSignal | undefined,
    work: (signal: () => AbortSignal) => Promise<T>,
  ): Promise<T> {
    const promise = withDeadline({ name: tool.name, acts, callerSignal, timeoutMs }, work);
    inFlight.add(promise);
    try {
      return await promise;
    } finally {
      inFlight.delete(promise);
    }
  }

  return {
    prepare: async (tool, args, { principal, signal: callerSignal }) => {
      const look = tool.prepare;
      if (look === undefined) return {};
      return await timed(tool, false, callerSignal, (signal) =>
        look(args, {
          ports,
          principal,
          get signal() {
            return signal();
          },
        }),
      );
    },

    execute: async (tool, args, { principal, target, signal: callerSignal }) => {
      const acts = tool.does !== "reads";
      const began = now();
      const answer = await timed(tool, acts, callerSignal, (signal) =>
        tool.execute(args, {
          ports,
          principal,
          target,
          get signal() {
            return signal();
          },
        }),
      ).finally(() => {
        const ms = Math.round(now() - began);
        if (!acts && ms > slowRetrievalMs) log.info(`${tool.name} was slow`, { ms });
      });
      const checked = tool.output.safeParse(answer);
      if (checked.success) return checked.data;
      throw new ToolError("internal", `${tool.name} answered in an unexpected form.`, {
        sideEffects: acts ? "unknown" : "none",
        cause: checked.error,
      });
    },

    idle: async () => void (await Promise.allSettled(inFlight)),
  };
}
