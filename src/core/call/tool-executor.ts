import { type TimeoutQueue, createTimeoutQueue } from "./timeout-queue.ts";
import { withDeadline } from "./deadline.ts";
import { type Cancellation, type LazySignal } from "../shared/lazy-signal.ts";
import type { Log } from "../shared/log.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { ExecuteContext, Prepared, TellProgress, Tool, ToolContext } from "../tool/tool.ts";
import type { Data } from "../shared/data.ts";

/** The caller that a tool works for, with its cancellation. */
interface Caller {
  principal: string;
  signal: Cancellation | undefined;
}

interface PrepareCaller extends Caller {
  mayPreview?: boolean;
}

interface RunCaller extends Caller {
  callId: string;
  version: string | undefined;
  isDecided?: boolean | undefined;
  progress?: TellProgress | undefined;
}

/** Runs the tools' functions within their time and checks their output. */
export interface ToolExecutor<Ports> {
  /** Inspects the target without changing it. */
  prepare(tool: Tool<Ports>, args: Data, caller: PrepareCaller): Promise<Prepared<Data>>;
  /** Confirms that a person can be asked about the tool. @throws ToolError */
  confirm(tool: Tool<Ports>, signal: Cancellation): Promise<void>;
  /** Runs the tool and validates its output. */
  execute(tool: Tool<Ports>, args: Data, caller: RunCaller): Promise<Data>;
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
    step: (signal: () => LazySignal) => Promise<T>,
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
      const { prepare } = tool;
      if (prepare === undefined) return {};
      return await runRead(tool, caller, (signal) =>
        prepare(args, new PrepareContext(ports, caller, signal)),
      );
    },

    confirm: async (tool, signal) => {
      const { confirm } = tool;
      if (confirm === undefined) return;
      await runRead(tool, { signal }, confirm);
    },

    execute: async (tool, args, caller) => {
      const acts = tool.operation !== "reads";
      const began = now();
      let answer: Data;
      inFlight += 1;
      try {
        answer = await withDeadline(
          {
            name: tool.name,
            acts,
            isInterruptible: tool.isInterruptible,
            caller,
            timeouts: timeoutsFor(tool),
          },
          (signal) =>
            tool.execute(
              args,
              new RunContext(
                ports,
                caller,
                signal,
                mailsRead && (() => mailsRead(caller.principal)),
              ),
            ),
        );
      } finally {
        ended();
        const ms = Math.round(now() - began);
        if (!acts && ms > slowRetrievalMs) log.info(`${tool.name} was slow`, { ms });
      }
      if (tool.hasTypedOutput === true) return answer;
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

/** A class, because an object literal with a getter costs more than most steps of a call. */
class PrepareContext<Ports> implements ToolContext<Ports> {
  readonly ports: Ports;
  readonly principal: string;
  readonly mayPreview: boolean;
  readonly #signal: () => LazySignal;

  constructor(
    ports: Ports,
    { principal, mayPreview = false }: PrepareCaller,
    signal: () => LazySignal,
  ) {
    this.ports = ports;
    this.principal = principal;
    this.mayPreview = mayPreview;
    this.#signal = signal;
  }

  get cancellation(): Cancellation {
    return this.#signal();
  }

  get signal(): AbortSignal {
    return this.#signal().signal;
  }
}

class RunContext<Ports> extends PrepareContext<Ports> implements ExecuteContext<Ports> {
  readonly callId: string;
  readonly version: string | undefined;
  readonly isDecided: boolean | undefined;
  readonly progress: TellProgress | undefined;
  readonly mailsRead: ExecuteContext<Ports>["mailsRead"];

  constructor(
    ports: Ports,
    caller: RunCaller,
    signal: () => LazySignal,
    mailsRead: ExecuteContext<Ports>["mailsRead"],
  ) {
    super(ports, caller, signal);
    this.callId = caller.callId;
    this.version = caller.version;
    this.isDecided = caller.isDecided;
    this.progress = caller.progress;
    this.mailsRead = mailsRead;
  }
}
