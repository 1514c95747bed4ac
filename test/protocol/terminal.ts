import { spawn } from "node:child_process";
import { killChild } from "../servers/child.ts";
import type { Home } from "./home.ts";
import { type Ended, bareEnv, program } from "./program.ts";

/** What a person at the keyboard types when asked; keys such as Ctrl-C are their control characters. */
export type Typing = (shown: string) => string;

/** The keys for which a terminal has a meaning of its own. */
export const keys = { enter: "\r", interrupt: "\u0003", endOfInput: "\u0004" };

/** The fingerprint on the screen. */
export function shownFingerprint(shown: string): string {
  const found = /fingerprint\s+([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(shown)?.[1];
  if (found === undefined) throw new Error(`No fingerprint is shown:\n${shown}`);
  return found;
}

/** A line that waits for its answer. What is typed stands in the same line. */
const fingerprintQuestion = /Type the fingerprint[^\n]*: /g;

/**
 * Runs one command in a terminal (a pseudo-terminal that `script` of util-linux makes) with a person before it, who types
 * once for each line that matches `question`. The screen is `stdout`.
 */
export function runAtTerminal(
  home: Pick<Home, "env" | "later">,
  args: readonly string[],
  typing: Typing,
  question = fingerprintQuestion,
): Promise<Omit<Ended, "stderr">> {
  const command = [process.execPath, program, ...args].map(quoted).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    env: bareEnv({ ...home.env, TERM: "dumb" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  home.later(() => killChild(child));
  let screen = "";
  let answered = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    const asked = screen.match(question)?.length ?? 0;
    if (asked === answered) return;
    answered = asked;
    child.stdin.write(typing(screen));
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: screen.replaceAll("\r\n", "\n") }));
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
