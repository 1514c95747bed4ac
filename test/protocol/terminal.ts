import { spawn } from "node:child_process";
import { killChild } from "../servers/child.ts";
import type { Home } from "./home.ts";
import type { Ended } from "../servers/command-here.ts";
import { bareEnv, program } from "./program.ts";

/** The keys that a person types when asked. Keys such as Ctrl-C are control characters. */
export type Typing = (shown: string) => string;

/** The keys for which a terminal has a meaning of its own. */
export const keys = {
  enter: "\r",
  space: " ",
  down: "\u001B[B",
  interrupt: "\u0003",
  endOfInput: "\u0004",
  clearLine: "\u0015",
};

/** Returns the fingerprint on the screen. */
export function shownFingerprint(shown: string): string {
  const found = /fingerprint\s+([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(shown)?.[1];
  if (found === undefined) throw new Error(`No fingerprint is shown:\n${shown}`);
  return found;
}

/** A line that waits for its answer. The typed text appears in the same line. */
const fingerprintQuestion = /Type the fingerprint[^\n]*: /g;

/**
 * Runs one command in a terminal (a pseudo-terminal that `script` of util-linux makes) with a person before it, who
 * types once for each line that matches `question`. The screen is `stdout`. `before` is the beginning of the shell's
 * line.
 */
export function runAtTerminal(
  home: Pick<Home, "env" | "later">,
  args: readonly string[],
  typing: Typing,
  question = fingerprintQuestion,
  before = "",
): Promise<Omit<Ended, "stderr">> {
  let answered = 0;
  return atTerminal(
    home,
    args,
    (screen) => {
      const asked = screen.match(question)?.length ?? 0;
      if (asked === answered) return undefined;
      answered = asked;
      return typing(screen);
    },
    before,
  );
}

/** The text for which a person waits in the output behind the text before, and the text to type then. */
export type Exchange = readonly [shown: string, typed: string];

/** Runs the command with a person who types each answer after its question, in this order. */
export function converseAtTerminal(
  home: Pick<Home, "env" | "later">,
  args: readonly string[],
  exchanges: readonly Exchange[],
): Promise<Omit<Ended, "stderr">> {
  const left = [...exchanges];
  let seen = 0;
  // A dumb terminal knows no arrows.
  return atTerminal({ ...home, env: { ...home.env, TERM: "xterm" } }, args, (screen) => {
    const [next] = left;
    const at = next === undefined ? -1 : screen.indexOf(next[0], seen);
    if (next === undefined || at === -1) return undefined;
    left.shift();
    // Not the end of the screen: on a busy machine, the next question may have arrived together with this one.
    seen = at + next[0].length;
    return next[1];
  });
}

function atTerminal(
  home: Pick<Home, "env" | "later">,
  args: readonly string[],
  react: (screen: string) => string | undefined,
  before = "",
): Promise<Omit<Ended, "stderr">> {
  const command = `${before} ${[process.execPath, program, ...args].map(quoted).join(" ")}`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    env: bareEnv({ TERM: "dumb", ...home.env }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  home.later(() => killChild(child));
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    for (let typed = react(screen); typed !== undefined; typed = react(screen))
      child.stdin.write(typed);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: screen.replaceAll("\r\n", "\n") }));
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
