import type { Log } from "../core/shared/log.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type {
  ConnectUpstream,
  ServerEntry,
  ToolDefinition,
  UpstreamResult,
  UpstreamCall,
  UpstreamConnection,
} from "../ports/upstream/upstream-server.ts";
import { definitionHash } from "./pins.ts";
import type { ConfirmDefinition, ReviewedDefinition, SendCall } from "./send-call.ts";

/** A server is stopped after this time without a call. Milliseconds. */
const idleForMs = 600_000;
/** Bounds of the wait after a failed start, in milliseconds. The wait doubles with each failure. */
const shortestWaitMs = 1_000;
const longestWaitMs = 60_000;
/** After a call timed out, the server must answer a ping within this time. Milliseconds. */
const pingWithinMs = 5_000;
/** Bounds of the wait before a list that changed is read again without a call. It doubles each time. Milliseconds. */
const shortestRelistMs = 200;
const longestRelistMs = 60_000;
/** Limit on concurrent calls to one server. More would only fill memory. */
const maxCalls = 64;

/** The running upstream servers of this process. */
export interface ServerPool {
  send: SendCall;
  confirm: ConfirmDefinition;
  /** Stops a server immediately. It starts again at its next call, without a wait for earlier failures. */
  restart(server: string): void;
  /** Stops the servers that are not among these entries, each after its last running call. */
  keep(entries: readonly ServerEntry[]): void;
  /** Stops every server. */
  close(): Promise<void>;
}

interface Running {
  connection: UpstreamConnection;
  listed: readonly ToolDefinition[];
  /** True after a request timed out, until the server answers again. */
  isSilent: boolean;
  /** Number of calls that were sent and not yet answered. */
  open: number;
  /** The ping after a timeout, for which the next calls wait. */
  ping: Promise<boolean> | undefined;
}

interface Slot {
  running: Promise<Running> | undefined;
  /** The same after its start. */
  current: Running | undefined;
  failures: number;
  notBefore: number;
  calls: number;
  /** True after the entry changed: there are no new calls, and the end of the last one stops the server. */
  isRetired: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Creates the pool. It starts a server at its first call, and compares its tools with the reviewed ones before a call
 * is sent.
 * @param settings.listed receives each list of tools, so that changed ones are withheld
 */
export function createServerPool(settings: {
  connect: ConnectUpstream;
  listed: (entry: ServerEntry, tools: readonly ToolDefinition[]) => Promise<void>;
  log: Log;
  /** The command of Countersign for a terminal. */
  command: string;
  now?: () => number;
}): ServerPool {
  const { connect, listed, log, command, now = () => performance.now() } = settings;
  const slots = new Map<string, Slot>();
  /** A cache of the keys of the current entries, because each call needs one. */
  const keys = new WeakMap<ServerEntry, string>();
  let isClosing = false;

  /**
   * Returns the key of a slot. After a change of the command, a variable or a header, another process or connection is
   * needed.
   */
  function keyOf(entry: ServerEntry): string {
    const { name, target } = entry;
    const key = keys.get(entry) ?? `${name} ${JSON.stringify(target)}`;
    keys.set(entry, key);
    return key;
  }

  function slotOf(entry: ServerEntry): Slot {
    const key = keyOf(entry);
    const slot = slots.get(key) ?? {
      running: undefined,
      current: undefined,
      failures: 0,
      notBefore: 0,
      calls: 0,
      isRetired: false,
      idle: undefined,
    };
    slots.set(key, slot);
    return slot;
  }

  function stop(slot: Slot): void {
    clearTimeout(slot.idle);
    slot.idle = undefined;
    const { running } = slot;
    slot.running = undefined;
    slot.current = undefined;
    void running?.then(({ connection }) => connection.close()).catch(() => undefined);
  }

  async function start(entry: ServerEntry): Promise<Running> {
    const connection = await connect(entry);
    try {
      const tools = await connection.list();
      await listed(entry, tools);
      const running: Running = {
        connection,
        listed: tools,
        isSilent: false,
        open: 0,
        ping: undefined,
      };
      relistWhenChanged(entry, running);
      return running;
    } catch (thrown) {
      await connection.close();
      throw thrown;
    }
  }

  /**
   * Lists the tools soon after the server says that they changed. Without this, a changed tool would be withheld at the
   * next call only, and a person could read a request for it until then.
   */
  function relistWhenChanged(entry: ServerEntry, running: Running): void {
    const { connection } = running;
    let waitMs = shortestRelistMs;
    let isWaiting = false;
    async function relist(): Promise<void> {
      isWaiting = false;
      if (connection.isClosed || isClosing || !connection.takeListChanged()) return;
      try {
        await applyList(entry, running);
      } catch (cause) {
        log.debug("a changed list of tools could not be read", { server: entry.name, cause });
      }
    }
    connection.onListChanged(() => {
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => void relist(), waitMs).unref();
      waitMs = Math.min(longestRelistMs, waitMs * 2);
    });
  }

  async function applyList(entry: ServerEntry, running: Running): Promise<void> {
    const tools = await running.connection.list();
    await listed(entry, tools);
    running.listed = tools;
  }

  /**
   * Returns whether calls can be sent. After a timeout, the server is pinged before the next call. While it works on
   * other calls, it may take as long as one of them.
   */
  async function isUsable(known: Running, { timeoutMs }: ServerEntry): Promise<boolean> {
    if (known.connection.isClosed) return false;
    if (!known.isSilent) return true;
    known.ping ??= known.connection.answers(known.open > 0 ? timeoutMs : pingWithinMs);
    const isAlive = await known.ping;
    known.ping = undefined;
    known.isSilent = !isAlive;
    return isAlive && !known.connection.isClosed;
  }

  async function opened(entry: ServerEntry, slot: Slot): Promise<Running> {
    if (isClosing) throw unavailable(entry, "is being stopped");
    const known = await slot.running?.catch(() => undefined);
    if (known !== undefined && (await isUsable(known, entry))) return known;
    if (known !== undefined && slot.current === known) stop(slot);
    if (slot.running === undefined) {
      const waitMs = slot.notBefore - now();
      if (waitMs > 0) {
        throw new ToolError(
          "unavailable",
          `The server ${entry.name} failed to start. Nothing was done.`,
          { retryAfterSeconds: Math.ceil(waitMs / 1000) },
        );
      }
      const starting = start(entry);
      slot.running = starting;
      starting.then(
        (running) => {
          slot.failures = 0;
          if (slot.running === starting) slot.current = running;
        },
        (cause: unknown) => {
          slot.running = undefined;
          slot.failures += 1;
          const askedMs = cause instanceof ToolError ? (cause.retryAfterSeconds ?? 0) * 1_000 : 0;
          const waitMs = Math.max(askedMs, shortestWaitMs * 2 ** (slot.failures - 1));
          slot.notBefore = now() + Math.min(longestWaitMs, waitMs);
          log.warn("starting an upstream server failed", { server: entry.name, cause });
        },
      );
    }
    return await slot.running;
  }

  /** Returns the running server. Its tools are listed again if it says that they changed, or with `relists`. */
  async function currentTools(entry: ServerEntry, slot: Slot, relists: boolean): Promise<Running> {
    const running = await opened(entry, slot);
    if (!running.connection.takeListChanged() && !relists) return running;
    try {
      await applyList(entry, running);
    } catch (thrown) {
      noteSilence(running, thrown);
      if (!running.connection.isClosed) throw thrown;
      // The server exited while it was idle. The call was not sent yet, and a new start lists the tools.
      return await opened(entry, slot);
    }
    return running;
  }

  /** Sends a call, and records whether the server answers. */
  async function sent(running: Running, call: UpstreamCall): Promise<UpstreamResult> {
    running.open += 1;
    try {
      const answer = await running.connection.call(call);
      running.isSilent = false;
      return answer;
    } catch (thrown) {
      noteSilence(running, thrown);
      throw thrown;
    } finally {
      running.open -= 1;
    }
  }

  function restartIdleTimer(slot: Slot): void {
    if (slot.isRetired && slot.calls === 0) return stop(slot);
    if (slot.idle !== undefined) return void slot.idle.refresh();
    slot.idle = setTimeout(() => {
      if (slot.calls > 0) restartIdleTimer(slot);
      else stop(slot);
    }, idleForMs);
    slot.idle.unref();
  }

  /** Runs work with the server's slot, which stays in use until the work ends. */
  async function using<T>(entry: ServerEntry, work: (slot: Slot) => Promise<T>): Promise<T> {
    if (entry.problem !== undefined) {
      throw new ToolError(
        "not_configured",
        `The server ${entry.name} cannot be used: ${entry.problem} Nothing was done.`,
      );
    }
    const slot = slotOf(entry);
    if (slot.calls >= maxCalls) {
      throw new ToolError(
        "rate_limited",
        `The server ${entry.name} is already running ${maxCalls} calls. Nothing was done.`,
        { retryAfterSeconds: 1 },
      );
    }
    slot.calls += 1;
    try {
      return await work(slot);
    } finally {
      slot.calls -= 1;
      restartIdleTimer(slot);
    }
  }

  /** Returns the running server, if the tool still has the reviewed definition. */
  async function confirmed(
    { entry, tool, hash }: ReviewedDefinition,
    slot: Slot,
    relists: boolean,
  ): Promise<Running> {
    const running = await currentTools(entry, slot, relists);
    const found = running.listed.find(({ name }) => name === tool);
    if (found !== undefined && definitionHash(found) === hash) return running;
    throw new ToolError(
      "forbidden",
      `The server ${entry.name} changed this tool after it was reviewed, so it is withheld. Nothing was done.`,
      {
        hint: `Tell the user to review it with: ${command} servers review ${entry.name}. You cannot review it yourself.`,
      },
    );
  }

  return {
    send: async ({ entry, tool, hash, arguments: args, acts, signal, progress }) =>
      await using(entry, async (slot) => {
        // A person approved the definition of a tool that changes something.
        const running = await confirmed({ entry, tool, hash }, slot, acts);
        const { timeoutMs } = entry;
        return await sent(running, { tool, arguments: args, acts, timeoutMs, signal, progress });
      }),

    confirm: async (reviewed) =>
      await using(reviewed.entry, async (slot) => void (await confirmed(reviewed, slot, true))),

    restart: (server) => {
      for (const [key, slot] of slots) {
        if (!key.startsWith(`${server} `)) continue;
        slot.failures = 0;
        slot.notBefore = 0;
        stop(slot);
      }
    },

    keep: (entries) => {
      const keys = new Set(entries.map(keyOf));
      for (const [key, slot] of slots) {
        if (keys.has(key)) continue;
        slots.delete(key);
        slot.isRetired = true;
        restartIdleTimer(slot);
      }
    },

    close: async () => {
      isClosing = true;
      await Promise.all(
        [...slots.values()].map(async ({ running, idle }) => {
          clearTimeout(idle);
          await running?.then(({ connection }) => connection.close()).catch(() => undefined);
        }),
      );
    },
  };
}

function noteSilence(running: Running, thrown: unknown): void {
  if (thrown instanceof ToolError && thrown.kind === "timeout") running.isSilent = true;
}

function unavailable({ name }: ServerEntry, state: string): ToolError {
  return new ToolError("unavailable", `The server ${name} ${state}. Nothing was done.`);
}
