import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { killChild } from "../servers/child.ts";
import { forkTypeScript } from "../servers/typescript-child.ts";
import type { Command, Options } from "./race-child.ts";

/** The response of a process. `killed` if it ended before its response, `failed` with its error. */
export interface Told {
  killed?: true;
  failed?: string;
  won?: boolean;
  kind?: string;
  ticketId?: string;
  lead?: readonly { label: string; value: string }[];
}

export interface Racers {
  count: number;
  /** Tells the process at this place, and resolves with its response or that it was killed. */
  tell(place: number, command: Command, options: Options): Promise<Told>;
  /** Puts a fresh process wherever one was killed. */
  refill(): Promise<void>;
  /** Ends them all, those too that are only starting: none may write any more. */
  close(): Promise<void>;
}

const path = fileURLToPath(new URL("./race-child.ts", import.meta.url));

/** Starts processes that stay. `spares` are started in advance, because a killed one is replaced many times. */
export async function startRacers(count: number, spares: number, given: Options): Promise<Racers> {
  let lastId = 0;
  const launched: ChildProcess[] = [];
  const launch = (): ChildProcess => {
    const child = forkTypeScript(path);
    launched.push(child);
    return child;
  };

  async function send(child: ChildProcess, command: Command, options: Options): Promise<Told> {
    lastId += 1;
    const id = lastId;
    if (!child.connected) return { killed: true };
    return await new Promise((resolve) => {
      const gone = (): void => finish({ killed: true });
      const heard = (told: Told & { id: number }): void => {
        if (told.id === id) finish(told);
      };
      const finish = (told: Told): void => {
        child.off("message", heard);
        child.off("exit", gone);
        resolve(told);
      };
      child.on("message", heard);
      child.once("exit", gone);
      child.send({ id, command, options }, (error) => error && gone());
    });
  }

  async function ready(child: ChildProcess): Promise<ChildProcess> {
    child.setMaxListeners(20);
    const { failed } = await send(child, "start", given);
    if (failed !== undefined) throw new Error(failed);
    return child;
  }

  const racers = await Promise.all(Array.from({ length: count }, () => ready(launch())));
  const waiting = Array.from({ length: spares }, () => ready(launch()));

  return {
    count,
    tell: async (place, command, options) => {
      const child = racers[place % count];
      return child === undefined ? { killed: true } : await send(child, command, options);
    },
    refill: async () => {
      for (const [place, child] of racers.entries()) {
        if (child.exitCode === null && child.signalCode === null) continue;
        racers[place] = await (waiting.shift() ?? ready(launch()));
        waiting.push(ready(launch()));
      }
    },
    close: async () => {
      await Promise.all(launched.map(killChild));
    },
  };
}
