import { expect, onTestFinished } from "vitest";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import type { CaldavSettings } from "../../src/adapters/caldav/settings.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { startOddServer } from "../servers/odd-caldav.ts";

export const from = new Date("2026-11-01T00:00:00Z");
export const to = new Date("2026-12-01T00:00:00Z");

/** Opens a collection on a server that misbehaves as the test says. Waits are counted only. */
export async function setUpCollection(more: Partial<CaldavSettings> = {}) {
  const server = await startOddServer();
  onTestFinished(() => server.close());
  const waited: number[] = [];
  const settings: CaldavSettings = {
    url: server.url,
    username: "alice",
    auth: { kind: "basic", password: new Secret("hunter2") },
    calendar: "Assistant",
    allowedHosts: [],
    log: quietLog,
    wait: async (ms) => void waited.push(ms),
    ...more,
  };
  const collection = createCollection(settings);
  return { server, collection, waited, settings };
}

/** Returns the error of the work, and checks that it contains no secret. */
export const errorOf = async (work: Promise<unknown>): Promise<ToolError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ToolError)) throw new Error(`no ToolError: ${String(error)}`);
  expect(`${error.message} ${error.hint ?? ""}`).not.toMatch(/canary|hunter2/);
  return error;
};
