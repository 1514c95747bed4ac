import { ToolError } from "../../core/tool/tool-error.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import { definitionHash } from "../pins.ts";
import type { RunningServer, RunningSettings } from "./running-server.ts";
import type { ConfirmDefinition, ReviewedDefinition, SendCall } from "./send-call.ts";
import { ServerSlot } from "./server-slot.ts";
import { type ServerTrouble, StartWait } from "./start-wait.ts";

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

export interface PoolSettings extends Omit<RunningSettings, "now"> {
  /** Receives the reason why calls to a server are refused for some time, and undefined after it works again. */
  trouble: (entry: ServerEntry, trouble: ServerTrouble | undefined) => void;
  /** The command of Countersign for a terminal. */
  command: string;
  /** A monotonic clock in milliseconds. The default is that of the process. */
  now?: () => number;
}

/**
 * Creates the pool. It starts a server at its first call, and compares its tools with the reviewed ones before a call
 * is sent.
 */
export function createServerPool(settings: PoolSettings): ServerPool {
  const { trouble, command, now = () => performance.now() } = settings;
  const slots = new Map<string, ServerSlot>();
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

  /** Returns the slot of a server. @throws ToolError if the server cannot be used */
  function slotOf(entry: ServerEntry): ServerSlot {
    if (entry.problem !== undefined) {
      throw new ToolError(
        "not_configured",
        `The server ${entry.name} cannot be used: ${entry.problem} Nothing was done.`,
      );
    }
    if (isClosing) {
      throw new ToolError(
        "unavailable",
        `The server ${entry.name} is being stopped. Nothing was done.`,
      );
    }
    const key = keyOf(entry);
    const slot =
      slots.get(key) ??
      new ServerSlot(
        entry,
        { ...settings, now },
        new StartWait(now, (each) => trouble(entry, each)),
      );
    slots.set(key, slot);
    return slot;
  }

  /** Returns the running server, if the tool still has the reviewed definition. */
  async function confirmed(
    slot: ServerSlot,
    { entry, tool, hash }: ReviewedDefinition,
    relists: boolean,
  ): Promise<RunningServer> {
    const running = await slot.current(relists);
    const found = running.tools.find(({ name }) => name === tool);
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
    send: async ({ entry, tool, hash, arguments: args, acts, signal, progress }) => {
      const slot = slotOf(entry);
      return await slot.using(async () => {
        // A person approved the definition of a tool that changes something.
        const running = await confirmed(slot, { entry, tool, hash }, acts);
        const { timeoutMs } = entry;
        if (signal.aborted) {
          throw new ToolError(
            "cancelled",
            `The call of ${tool} was cancelled before it was sent to the server ${entry.name}. Nothing was done.`,
          );
        }
        return await slot.send(running, {
          tool,
          arguments: args,
          acts,
          timeoutMs,
          signal,
          progress,
        });
      });
    },

    confirm: async (reviewed) => {
      const slot = slotOf(reviewed.entry);
      await slot.using(async () => void (await confirmed(slot, reviewed, true)));
    },

    restart: (server) => {
      for (const [key, slot] of slots) if (key.startsWith(`${server} `)) slot.restart();
    },

    keep: (entries) => {
      const kept = new Set(entries.map(keyOf));
      for (const [key, slot] of slots) {
        if (kept.has(key)) continue;
        slots.delete(key);
        slot.retire();
      }
    },

    close: async () => {
      isClosing = true;
      await Promise.all([...slots.values()].map((slot) => slot.close()));
    },
  };
}
