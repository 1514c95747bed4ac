import type { ChildProcess } from "node:child_process";
import { beforeAll, expect, onTestFinished, vi } from "vitest";
import { type Ingest, openIngest } from "../../src/app/compose/open/open-ingest.ts";
import type { Stores } from "../../src/app/compose/open/open-stores.ts";
import { loadSettings } from "../../src/app/platform/settings.ts";
import type { Arrival } from "../../src/ingest/pipeline/accept-message.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { suiteFinished } from "../fakes/suite-finished.ts";
import { makeDirectory } from "../fakes/temporary-directory.ts";
import { killChild } from "./child.ts";
import { writeSettings } from "./env-file.ts";
import {
  type IngestHere,
  type IngestProcess,
  startIngest,
  startIngestHere,
  storesAt,
} from "./ingest.ts";

type Later = (cleanUp: () => void | Promise<void>) => void;

interface Place {
  dataDir: string;
  /** The mail that the tools of a server on this data directory would see. */
  stores: Stores;
}

export interface IngestWorld extends Place {
  /** The built `countersign ingest` on it, any number of times. */
  start: (env?: NodeJS.ProcessEnv) => Promise<IngestProcess>;
  /** The same in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
  startHere: (env?: NodeJS.ProcessEnv) => Promise<IngestHere>;
}

/**
 * Creates a data directory for the running test alone. Afterwards its processes are killed and its files are removed,
 * however the test ends.
 */
export function openIngestWorld(env: NodeJS.ProcessEnv = {}): IngestWorld {
  const place = openPlace(onTestFinished, env);
  return { ...place, ...starting(onTestFinished, place.dataDir, env) };
}

export interface IngestSuite extends Place {
  ingest: IngestHere;
  later: Later;
}

/** Creates the same for a whole `describe`, with one ingest in this process that has to end well. */
export function suiteWithIngest(env: NodeJS.ProcessEnv = {}): IngestSuite {
  const later = suiteFinished();
  const suite = { later } as IngestSuite;
  beforeAll(async () => {
    Object.assign(suite, openPlace(later, env));
    const ingest = await starting(later, suite.dataDir, env).startHere();
    suite.ingest = ingest;
    later(async () => expect(await ingest.stop()).toBe(0));
  });
  return suite;
}

export interface IngestingSuite extends Place {
  ingest: Ingest;
  /** Resolves with the message's id when it can be found. */
  arrived: (message: string | Uint8Array, arrival?: Arrival) => Promise<string>;
}

/** Creates the same with the ingest in this process. `env` is called before the first test. */
export function suiteThatIngests(env: () => NodeJS.ProcessEnv = () => ({})): IngestingSuite {
  const later = suiteFinished();
  const suite = {
    arrived: async (message, arrival = { intake: "import" }) => {
      const { emailId } = await suite.ingest.keep(Buffer.from(message), arrival);
      await vi.waitFor(
        async () =>
          expect((await suite.ingest.store.states([emailId])).get(emailId)).toEqual({
            state: "searchable",
          }),
        { timeout: 30_000, interval: 20 },
      );
      return emailId;
    },
  } as IngestingSuite;
  beforeAll(() => {
    Object.assign(suite, openPlace(later));
    const settings = loadSettings({ env: { COUNTERSIGN_DATA_DIR: suite.dataDir, ...env() } });
    const ingest = openIngest(settings, quietLog);
    suite.ingest = ingest;
    later(() => ingest.close());
  });
  return suite;
}

function openPlace(later: Later, env?: NodeJS.ProcessEnv): Place {
  const { path, remove } = makeDirectory();
  later(remove);
  const stores = storesAt(path, env);
  later(() => stores.close());
  return { dataDir: path, stores };
}

function starting(
  later: Later,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Pick<IngestWorld, "start" | "startHere"> {
  const children: ChildProcess[] = [];
  const here: IngestHere[] = [];
  let isOver = false;
  later(async () => {
    isOver = true;
    await Promise.all([...children.map(killChild), ...here.map((one) => one.stop())]);
  });
  const prepare = (more: NodeJS.ProcessEnv): Record<string, string> => {
    // A test that timed out continues in the background, and would leave processes that it starts then.
    if (isOver) throw new Error("The test is over: no ingest is started.");
    return writeSettings(dataDir, { ...env, ...more });
  };
  return {
    start: async (more = {}) =>
      startIngest(dataDir, prepare(more), (child) => children.push(child)),
    startHere: async (more = {}) => {
      const ingest = await startIngestHere(dataDir, prepare(more));
      if (isOver) await ingest.stop();
      here.push(ingest);
      return ingest;
    },
  };
}
