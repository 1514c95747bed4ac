import { type TimeoutQueue, createTimeoutQueue } from "./timeout-queue.ts";
import { withDeadline } from "./deadline.ts";
import type { Log } from "../shared/log.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { Prepared, Tool, TellProgress } from "../tool/tool.ts";

type Data = Readonly<Record<string, unknown>>;

/** The caller that a tool works for, with its cancellation. */
interface Caller {
  principal: string;
  readonly signal: AbortSignal | undefined;
}

/** Runs the tools' functions within their time and checks their output. */
export interface ToolExecutor<Ports> {
  /** Inspects the target without changing it. */
  prepare(
    tool: Tool<Ports>,
    args: Data,
    caller: Caller & { mayPreview?: boolean },
  ): Promise<Prepared<Data>>;
  /** Confirms that a person can be asked about the tool. @throws ToolError */
  confirm(tool: Tool<Ports>, signal: AbortSignal): Promise<void>;
  /** Runs the tool and validates its output. */
  execute(
    tool: Tool<Ports>,
    args: Data,
    caller: Caller & {
      callId: string;
      version: string | undefined;
      isDecided?: boolean | undefined;
      progress?: TellProgress | undefined;
    },
  ): Promise<Data>;
  /** Resolves when no tool is running. */
  idle(): Promise<void>;
}

interface WorkSettings {
  timeoutMs: number;
  log: Log;
  /** Returns the ids of the mails whose text a caller received in the last hour, the newest first. */
  mailsRead?: ((principal: string) => Promise<readonly string[]>) | undefined;
  now?: () => number;
}

/** A call without an effect that takes longer is logged, because a person notices the delay. Milliseconds. */
const slowRetrievalMs = 2_000;

/**
 * Creates the executor.
 * @param timeoutMs limit of one `prepare` or one `execute`
 * @param now a monotonic clock in milliseconds
 */
export function createToolExecutor<Ports>(
  ports: Ports,
  { timeoutMs, log, mailsRead, now = () => performance.now() }: WorkSettings,
): ToolExecutor<Ports> {
  const queues = new Map([[timeoutMs, createTimeoutQueue(timeoutMs)]]);
  let inFlight = 0;
  let whenIdle: (() => void)[] = [];

  /**
   * Returns the queue for the tool's time limit. There are few limits: the common one, and those of upstream servers.
   */
  function timeoutsFor(tool: Tool<Ports>): TimeoutQueue {
    const ms = tool.timeoutMs ?? timeoutMs;
    const queue = queues.get(ms) ?? createTimeoutQueue(ms);
    queues.set(ms, queue);
    return queue;
  }

  function ended(): void {
    inFlight -= 1;
    if (inFlight > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  /** Runs a step that changes nothing, within the tool's time limit. */
  async function runRead<T>(
    tool: Tool<Ports>,
    caller: Pick<Caller, "signal">,
    step: (signal: () => AbortSignal) => Promise<T>,
  ): Promise<T> {
    inFlight += 1;
    try {
      const timeouts = timeoutsFor(tool);
      return await withDeadline({ name: tool.name, acts: false, caller, timeouts }, step);
    } finally {
      ended();
    }
  }

  return {
    prepare: async (tool, args, caller) => {
      const { principal, mayPreview = false } = caller;
      const { prepare } = tool;
      if (prepare === undefined) return {};
      return await runRead(tool, caller, (signal) =>
        prepare(args, {
          ports,
          principal,
          mayPreview,
          get signal() {
            return signal();
          },
        }),
      );
    },

    confirm: async (tool, signal) => {
      const { confirm } = tool;
      if (confirm === undefined) return;
      await runRead(tool, { signal }, confirm);
    },

    execute: async (tool, args, caller) => {
      const { principal, callId, version, isDecided, progress } = caller;
      const acts = tool.operation !== "reads";
      const began = now();
      let answer: Data;
      inFlight += 1;
      try {
        answer = await withDeadline(
          { name: tool.name, acts, caller, timeouts: timeoutsFor(tool) },
          (signal) =>
            tool.execute(args, {
              ports,
              principal,
              callId,
              version,
              isDecided,
              progress,
              mailsRead: mailsRead && (() => mailsRead(principal)),
              get signal() {
                return signal();
              },
            }),
        );
      } finally {
        ended();
        const ms = Math.round(now() - began);
        if (!acts && ms > slowRetrievalMs) log.info(`${tool.name} was slow`, { ms });
      }
      const checked = tool.output.safeParse(answer);
      if (checked.success) return checked.data;
      throw new ToolError("internal", `${tool.name} returned a result in an unexpected form.`, {
        sideEffects: acts ? "unknown" : "none",
        cause: checked.error,
      });
    },

    idle: () =>
      inFlight === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve)),
  };
}
