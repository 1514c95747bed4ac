import { createChatHistory } from "../../adapters/libsql/chat/chat-history.ts";
import type { AnswerEnd } from "../../assistant/conversation.ts";
import { formatAge } from "../../core/shared/text/format.ts";
import { visible } from "../../core/shared/text/visible.ts";
import { approveHere } from "../chat/approve-here.ts";
import { openLines } from "../chat/lines.ts";
import { requireAssistant, openAssistant } from "../chat/open-assistant.ts";
import { printForPerson, printJson } from "../chat/printer.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { UsageError, envFile, flag, json, optional, textOr } from "../command-line/options.ts";
import { openDirectCalls } from "../compose/direct-calls.ts";
import { withStores } from "../compose/with-stores.ts";
import { isAtTerminal } from "../platform/ask-line.ts";
import { createLog } from "../platform/log.ts";
import { startLeaderJobs } from "../leader/serving-leader.ts";
import { loadSettings } from "../platform/settings.ts";

export const command = defineCommand({
  about:
    "Talks to the assistant in this terminal (settings ASSISTANT_*). With a QUESTION it answers and ends. Ctrl-C stops an answer, Ctrl-D ends the program.",
  exitCodes: { 1: "failed, or an answer is not complete" },
  forms: [
    form({
      arguments: { question: optional("QUESTION") },
      options: {
        session: textOr("default", "NAME", "the conversation to continue; without it `default`"),
        new: flag("delete this conversation first"),
        list: flag("list the stored conversations and end"),
        delete: flag("delete this conversation and end"),
        json,
        envFile,
      },
      conflicts: [
        ["list", "delete"],
        ["list", "new"],
        ["delete", "new"],
      ],
      run: async (options, { question }) => {
        if (!/^[\w.@-]{1,64}$/.test(options.session))
          throw new UsageError(
            "--session must be 1 to 64 letters, digits or any of the characters . _ @ -",
          );
        if (options.list) return await list(options);
        if (options.delete) return await remove(options);
        return await chat(question, options);
      },
    }),
  ],
});

interface ChatOptions {
  session: string;
  new: boolean;
  json: boolean;
  envFile: string | undefined;
}

async function chat(question: string | undefined, options: ChatOptions): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  requireAssistant(config);
  const isTerminal = isAtTerminal() && !options.json;
  const calls = await openDirectCalls(config, createLog(config.logLevel), "countersign chat", {
    envFile: options.envFile,
    startJobs: startLeaderJobs,
  });
  const printer = options.json ? printJson() : printForPerson({ isTerminal });
  const lines = isTerminal || question === undefined ? openLines({ isTerminal }) : undefined;
  try {
    const { session } = options;
    const opened = openAssistant(config, calls, {
      printer,
      decideHere:
        isTerminal && lines
          ? (ticket, signal) => approveHere(ticket, calls.runtime, { lines, printer, signal })
          : undefined,
    });
    if (options.new) await opened.assistant.forget(session);

    const answer = async (text: string): Promise<AnswerEnd> => {
      const stop = new AbortController();
      const interrupt = (): void => stop.abort();
      if (lines === undefined) process.once("SIGINT", interrupt);
      lines?.onInterrupt(interrupt);
      opened.newTurn();
      const given = await opened.assistant.ask(session, text, {
        signal: stop.signal,
        onText: (piece) => printer.text(piece),
      });
      process.off("SIGINT", interrupt);
      printer.answered(given);
      return given.end;
    };

    if (question !== undefined) return (await answer(question)) === "complete" ? 0 : 1;
    if (isTerminal) printer.said("Ctrl-C stops an answer, Ctrl-D ends the program.");
    opened.prepare();
    let isComplete = true;
    for (;;) {
      lines?.onInterrupt(() => isTerminal && lines.askAgain("Ctrl-D ends the program."));
      const text = await lines?.ask("you> ");
      if (text === undefined) return isComplete || isTerminal ? 0 : 1;
      if (text.trim() !== "") isComplete = (await answer(text)) === "complete" && isComplete;
    }
  } finally {
    lines?.close();
    await calls.close();
  }
}

async function list(options: { json: boolean; envFile: string | undefined }): Promise<number> {
  return await withStores(options.envFile, async ({ stores }) => {
    const sessions = await createChatHistory(stores.database).list();
    if (sessions.length === 0 && !options.json) console.log("No conversations.");
    for (const { name, exchanges, tokens, lastAt } of sessions) {
      const summary = `${visible(name)}  ${exchanges} questions, about ${tokens} tokens, ${formatAge(lastAt, new Date())}`;
      const data = { session: name, exchanges, tokens, lastAt: lastAt.toISOString() };
      console.log(options.json ? JSON.stringify(data) : summary);
    }
    return 0;
  });
}

async function remove({ session, json: isJson, envFile: file }: ChatOptions): Promise<number> {
  return await withStores(file, async ({ stores }) => {
    const exchanges = await createChatHistory(stores.database).remove(session);
    if (isJson) console.log(JSON.stringify({ session, deleted: exchanges }));
    else console.log(exchanges === 0 ? "No such conversation." : `Deleted ${exchanges} questions.`);
    return 0;
  });
}
