import { defineCommand, form } from "../command-line/define-command.ts";
import {
  envFile,
  flag,
  json,
  required,
  requiredWord,
  rest,
  secretStdin,
  text,
  texts,
} from "../command-line/options.ts";
import { addServer, removeServer, restartServer } from "../upstream/change-servers.ts";
import { importable, importServers } from "../upstream/import-servers.ts";
import { loginServer } from "../upstream/login-server.ts";
import { listServers } from "../upstream/list-servers.ts";
import { reviewServer } from "../upstream/review/review-server.ts";

const server = { name: required("NAME") };

export const command = defineCommand({
  about:
    "Lists, adds, imports, reviews, restarts and removes upstream MCP servers (SERVERS_FILE). Tools of a server are offered after an approver reviewed them.",
  initial: "list",
  forms: [
    form({
      name: "list",
      help: "list the servers and their tools, offered or withheld, without starting a server",
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
        clientId: text(
          "ID",
          "the id of an OAuth client that you registered at the server's authorization server; without it, login registers Countersign",
        ),
        clientSecret: text(
          "VALUE",
          "the secret of that OAuth client, if it has one; VALUE may be ${env:NAME}",
        ),
        callbackPort: text(
          "PORT",
          "the port of the redirect address that you registered: http://127.0.0.1:PORT/callback",
        ),
        envFile,
      },
      conflicts: [["url", "env"]],
      needs: { header: "url", clientId: "url", clientSecret: "clientId", callbackPort: "clientId" },
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
      name: "import",
      help: "add the servers of a client; shows each change and asks before it writes",
      arguments: { client: requiredWord("CLIENT", importable) },
      options: {
        move: flag("remove the entries from the client's file, and keep a copy of it"),
        yes: flag("write without asking"),
        json,
        envFile,
      },
      run: (options, { client }) => importServers(client, options),
    }),
    form({
      name: "login",
      help: "sign in at a server over HTTP, in your browser; the tokens are stored encrypted",
      arguments: server,
      options: { envFile },
      run: (options, { name }) => loginServer(name, options),
    }),
    form({
      name: "restart",
      help: "stop a running server, for example after an update of its program; the next call starts it",
      arguments: server,
      options: { envFile },
      run: (options, { name }) => restartServer(name, options),
    }),
    form({
      name: "remove",
      help: "remove a server from the file, and forget its sign-in and the review of its tools",
      arguments: server,
      options: { envFile },
      run: (options, { name }) => removeServer(name, options),
    }),
  ],
});
