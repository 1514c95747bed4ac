import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, expect } from "vitest";
import { killChild } from "../servers/child.ts";
import { recipient, storesAt } from "../servers/ingest.ts";
import { type Home, newHome, templateOf } from "./home.ts";
import { bareEnv, program, runHere } from "./program.ts";

const killer = new URL("../servers/kill-at.mjs", import.meta.url).href;

export function message(number: number): Uint8Array {
  return Buffer.from(
    `Subject: number ${number}\r\nMessage-ID: <${number}@example.org>\r\n\r\nword${number}\r\n`,
  );
}

let template: Promise<string> | undefined;

/**
 * Creates a home with some mail and a file, without a process that uses them. Without settings of its own it is a copy
 * of the one that the program stored for the tests of this worker.
 */
export async function filledHome(t: TestContext, env: Record<string, string> = {}): Promise<Home> {
  if (Object.keys(env).length > 0) return await newlyFilledHome(t, env);
  template ??= newlyFilledHome(t, {})
    .then(templateOf)
    .catch((error: unknown) => {
      template = undefined;
      throw error;
    });
  const filled = await template;
  const home = newHome(t);
  cpSync(filled, home.dir, { recursive: true });
  return home;
}

/** Creates the same as a new installation, with keys and ids of its own. */
export async function newlyFilledHome(
  t: Parameters<typeof newHome>[0],
  env: Record<string, string>,
): Promise<Home> {
  const home = newHome(t, env);
  const directory = newHome(t).dir;
  for (const number of [1, 2, 3]) writeFileSync(join(directory, `${number}.eml`), message(number));
  const imported = await runHere(home, ["import", directory]);
  expect(imported.code, imported.stdout + imported.stderr).toBe(0);
  const stores = storesAt(home.dir, home.env);
  await stores.objects.put("files/plan.md", Buffer.from("a plan"), { mediaType: "text/markdown" });
  await stores.close();
  return home;
}

const imported = new Map<string, Promise<string>>();

/**
 * Imports a message into a home that no program has used yet. It is imported once by this worker, with the settings of every
 * test: each home gets a copy of what the program stored.
 */
export async function importInto(home: Home, message: string): Promise<void> {
  expect(existsSync(join(home.dir, "countersign.db"))).toBe(false);
  let made = imported.get(message);
  if (made === undefined) {
    made = importOnce(home, message);
    imported.set(message, made);
    made.catch(() => imported.delete(message));
  }
  const own = join(home.dir, ".env");
  cpSync(await made, home.dir, { recursive: true, filter: (_, to) => to !== own });
}

async function importOnce(later: Pick<Home, "later">, message: string): Promise<string> {
  const home = newHome({ onTestFinished: later.later });
  const path = join(home.dir, "message.eml");
  writeFileSync(path, message);
  const { code, stdout, stderr } = await runHere(home, ["import", path]);
  expect(code, stdout + stderr).toBe(0);
  return templateOf(home);
}

/** Expects all that `filledHome` has stored, findable and readable, under an audit record that is whole. */
export async function expectAll(home: Home): Promise<void> {
  const stores = storesAt(home.dir, home.env);
  try {
    const { hits, pending } = await stores.mail.search({ limit: 50 });
    expect(pending).toBe(0);
    for (const { emailId, subject } of hits) {
      const { text } = await stores.mail.read(emailId, { offset: 0, length: 100 });
      expect(Buffer.from(text.window).toString()).toContain(subject.replace("number ", "word"));
    }
    const subjects = hits.map(({ subject }) => subject).toSorted();
    expect(subjects).toEqual(["number 1", "number 2", "number 3"]);
    const found = await stores.mail.search({ query: "word2", limit: 5 });
    expect(found.hits.map(({ subject }) => subject)).toEqual(["number 2"]);
    const file = await stores.objects.get("files/plan.md");
    expect(Buffer.from(file?.body ?? []).toString()).toBe("a plan");
  } finally {
    await stores.close();
  }
  const verified = await runHere(home, ["audit", "verify"]);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
}

/**
 * Starts an ingest that kills itself at a boundary, and waits until it did or its work is done.
 * @returns whether it was killed, and what stops it otherwise
 */
export async function ingestKilledAt(
  home: Home,
  boundary: number,
  { env = {}, isDone }: { env?: Record<string, string>; isDone: (home: Home) => Promise<boolean> },
): Promise<{ wasKilled: boolean; stop: () => Promise<void> }> {
  const receiving = { INGEST_RECIPIENTS: recipient, SMTP_PORT: "0", INGEST_DNS: "off" };
  const killing = { NODE_OPTIONS: `--import ${killer}`, KILL_AT: String(boundary) };
  const child = spawn(process.execPath, [program, "ingest"], {
    env: bareEnv({ ...home.env, ...receiving, ...env, ...killing }),
    stdio: "ignore",
  });
  home.later(() => killChild(child));
  const exited = once(child, "exit");
  const isOver = async (): Promise<boolean> => child.signalCode !== null || (await isDone(home));
  await expect.poll(isOver, { timeout: 30_000, interval: 50 }).toBe(true);
  return {
    wasKilled: child.signalCode !== null,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Starts a command that kills itself at a boundary. Resolves with true if it was killed. */
export async function killedAt(
  home: Home,
  args: readonly string[],
  boundary: number,
  input = "",
): Promise<boolean> {
  const env = { NODE_OPTIONS: `--import ${killer}`, KILL_AT: String(boundary) };
  const child = spawn(process.execPath, [program, ...args], {
    env: bareEnv({ ...home.env, ...env }),
    stdio: ["pipe", "ignore", "ignore"],
  });
  home.later(() => killChild(child));
  child.stdin?.on("error", () => undefined).end(input);
  await once(child, "exit");
  return child.signalCode !== null;
}
