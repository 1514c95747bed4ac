import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startChatModel } from "../servers/chat-model.ts";
import { modelKey } from "../servers/text-model.ts";

const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));

/**
 * Returns the times from the model's first token to the first token of `countersign chat`, in one conversation. The
 * first time is that of a new process. Milliseconds.
 */
export async function firstTokens(dataDir: string, questions: number): Promise<number[]> {
  let sentAt = Number.NaN;
  const model = await startChatModel("openai-compatible", () => {
    sentAt = performance.now();
    return { text: ["First ", "and last."] };
  });
  const times: number[] = [];
  const child = spawn(process.execPath, [program, "chat", "--new"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...process.env,
      COUNTERSIGN_DATA_DIR: dataDir,
      ASSISTANT_PROVIDER: "openai-compatible",
      ASSISTANT_MODEL: "scripted",
      ASSISTANT_API_KEY: modelKey,
      ASSISTANT_BASE_URL: model.url,
    },
  });
  const closed = once(child, "close");
  let said = "";
  let wake = (): void => undefined;
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    said += piece;
    wake();
  });
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise<void>((resolve) => (wake = resolve));
  };
  try {
    for (let question = 0; question < questions; question += 1) {
      said = "";
      child.stdin.write("Hello?\n");
      await until(() => said !== "");
      times.push(performance.now() - sentAt);
      await until(() => said.endsWith("last.\n"));
    }
    child.stdin.end();
    await closed;
  } finally {
    await model.close();
  }
  return times;
}
