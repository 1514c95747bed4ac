import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { startSearchService } from "./attack/search-endpoint.ts";
import { connectAssistant } from "./demo/assistant.ts";
import { createPerson } from "./demo/person.ts";
import { type Printer, createPrinter } from "./demo/printer.ts";
import { startReceiver } from "./demo/receiver.ts";
import {
  DemoError,
  type Stage,
  highRisk,
  hostileMail,
  lowRisk,
  receiveMail,
  mediumRisk,
  keepSecret,
  listTools,
} from "./demo/steps.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { stopSignal } from "../platform/stop-signal.ts";

export const command = defineCommand({
  about:
    "Shows everything in a minute: mail arrives, an assistant reads it, writes a file, and needs your approval to delete one. It uses a temporary directory, which is removed at the end. In a terminal you decide.",
  exitCodes: { 130: "stopped by Ctrl-C" },
  forms: [form({ run: demo })],
});

/** The exit code of shells after Ctrl-C. */
const interruptedCode = 130;

async function demo(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-demo-"));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  // Also runs if a second Ctrl-C ends the process immediately.
  process.once("exit", remove);
  const print = createPrinter();
  try {
    return await runDemo(print, dataDir);
  } catch (error) {
    if (!(error instanceof DemoError)) throw error;
    print.say("", `The demo ends here. ${error.message}`);
    return 1;
  } finally {
    remove();
    process.removeListener("exit", remove);
  }
}

/** Ctrl-C may reach this process later than its children, by at most this time. Milliseconds. */
const signalWithinMs = 200;

/** Runs the demo to its end or until Ctrl-C, then stops everything that it started. */
async function runDemo(print: Printer, dataDir: string): Promise<number> {
  const stop = new AbortController();
  const stopped = once(stop.signal, "abort").then(() => "stopped" as const);
  void stopSignal().then(() => stop.abort());
  // The terminal's window was closed.
  process.once("SIGHUP", () => stop.abort());
  const opened: Promise<{ close: () => Promise<void> }>[] = [];
  const open = <T extends { close: () => Promise<void> }>(begin: () => Promise<T>): Promise<T> => {
    // No process may start after the stop began.
    stop.signal.throwIfAborted();
    const opening = begin();
    opened.push(opening);
    return opening;
  };
  const demo = async (): Promise<"finished"> => {
    const person = createPerson(print, stop);
    print.title("Countersign: high-risk calls run only after you approve them");
    print.say("", "Everything below is real. It needs no account and uses a temporary directory.");
    // The user's own settings are left out, so that the demo cannot touch their data.
    const env = { ...getDefaultEnvironment(), COUNTERSIGN_DATA_DIR: dataDir, LOG_LEVEL: "error" };
    const receiver = await open(() => startReceiver(thisProgram(), env));
    const search = await open(() => startSearchService());
    const searchEnv = { TAVILY_API_KEY: "tvly-demo", TAVILY_BASE_URL: search.url };
    const assistant = await open(() =>
      connectAssistant(thisProgram(), { ...env, ...searchEnv }, person),
    );
    const stage: Stage = { print, person, receiver, assistant, search };
    await receiveMail(stage);
    listTools(stage);
    await lowRisk(stage);
    await mediumRisk(stage);
    await highRisk(stage);
    await hostileMail(stage);
    await keepSecret(stage);
    return "finished";
  };
  // Ctrl-C reaches the child processes too. Their end may be noticed here before the signal.
  const unlessStopped = async (error: unknown): Promise<"stopped"> => {
    await Promise.race([stopped, pause(signalWithinMs)]);
    if (stop.signal.aborted) return "stopped";
    throw error;
  };
  try {
    const end = await Promise.race([demo().catch(unlessStopped), stopped]);
    if (end === "stopped") {
      print.say("", "Stopped. All processes of the demo have ended too.");
      print.end();
      return interruptedCode;
    }
    printEnd(print);
    return 0;
  } finally {
    // Starts in progress are awaited, because otherwise their processes would remain.
    for (const opening of opened.toReversed()) {
      await opening.then(
        ({ close }) => close(),
        () => undefined,
      );
    }
  }
}

function printEnd(print: Printer): void {
  print.say("");
  print.title("The end");
  print.say(
    "Mail arrived, and the assistant found and read it. Two files were written and reported.",
    "One deletion was approved and ran once. The other was denied and never ran, although",
    "the assistant tried again. The door code did not leave this machine.",
    "The temporary directory is removed now.",
    "",
    'README, "Add it to a client", describes how to use it with your own assistant.',
  );
}

/** Returns how this program was started: built, or from source. */
function thisProgram(): [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
}
