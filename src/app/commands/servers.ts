import { defineCommand, form } from "../command-line/define-command.ts";
import {
  envFile,
  flag,
  json,
  required,
  rest,
  secretStdin,
  text,
  texts,
} from "../command-line/options.ts";
import { addServer, removeServer } from "../upstream/change-servers.ts";
import { listServers } from "../upstream/list-servers.ts";
import { reviewServer } from "../upstream/review-server.ts";

const server = { name: required("NAME") };

export const command = defineCommand({
  about:
    "Lists, adds, reviews and removes upstream MCP servers (SERVERS_FILE). Tools of a server are offered after an approver reviewed them.",
  initial: "list",
  forms: [
    form({
      name: "list",
      help: "list the servers and their tools, offered or withheld; starts none",
      options: { json, envFile },
      run: listServers,
    }),
    form({
      name: "add",
      help: "add a server to the file: a command after --, or an address with --url. Starts nothing",
      arguments: { ...server, words: rest("COMMAND", "the program and its arguments, after --") },
      options: {
        url: text("URL", "the address of a server over HTTP"),
        env: texts(
          "NAME=VALUE",
          "a variable of the process; VALUE may be ${env:NAME}, which keeps the secret out of the file",
        ),
        header: texts(
          "NAME=VALUE",
          "a header for a server over HTTP; VALUE may contain ${env:NAME}",
        ),
        envFile,
      },
      conflicts: [["url", "env"]],
      needs: { header: "url" },
      run: (options, { name, words }) => addServer(name, words, options),
    }),
    form({
      name: "review",
      help: "start the server and show its tools; they are offered after you accept them",
      arguments: server,
      options: {
        acceptProposed: flag("accept the tools as listed, with the proposed risks; for scripts"),
        secretStdin,
        json,
        envFile,
      },
      needs: { secretStdin: "acceptProposed" },
      run: (options, { name }) => reviewServer(name, options),
    }),
    form({
      name: "remove",
      help: "remove a server from the file, and forget the review of its tools",
      arguments: server,
      options: { envFile },
      run: (options, { name }) => removeServer(name, options),
    }),
  ],
});
