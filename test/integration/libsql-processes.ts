import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { killChild } from "../servers/child.ts";
import { forkTypeScript } from "../servers/typescript-child.ts";
import type { Command, Options } from "./libsql-child.ts";

type Answer = Readonly<Record<string, unknown>>;

export interface Child {
  /** Resolves with the response. Rejects with the error of that process. */
  tell(command: Command, options?: Options): Promise<Answer>;
  /** The exit code. */
  ended: Promise<unknown>;
  kill(): void;
}

/** Processes of their own with the built program, ended with the test. */
export function startChildren(count: number): Child[] {
  return Array.from({ length: count }, startChild);
}

function startChild(): Child {
  const path = fileURLToPath(new URL("./libsql-child.ts", import.meta.url));
  const child = forkTypeScript(path);
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  child.on("message", (answer: Answer & { id: number }) => waiting.get(answer.id)?.(answer));
  onTestFinished(() => killChild(child));
  return {
    ended: once(child, "exit").then(([code]: unknown[]) => code),
    kill: () => void child.kill("SIGKILL"),
    tell: async (command, options = {}) => {
      lastId += 1;
      const id = lastId;
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, command, options });
      });
      if (typeof answer["error"] === "string") throw new Error(answer["error"]);
      return answer;
    },
  };
}
