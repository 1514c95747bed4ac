import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { type Home, operatorSecret } from "../protocol/home.ts";
import { runHere, startCommandHere } from "../protocol/program.ts";
import { serveHere } from "../protocol/stdio-here.ts";
import { writeServers } from "../protocol/upstream-home.ts";

const toolCall = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});

/** One scenario of the suite. */
const task = z.object({
  scenario: z.string(),
  url: z.string(),
  context: z.object({
    toolCalls: toolCall.array().optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
});

const listed = z.object({
  tools: z
    .object({
      name: z.string(),
      inputSchema: z.object({
        properties: z.record(z.string(), z.object({ type: z.unknown().optional() })).optional(),
      }),
    })
    .array(),
});

/**
 * Listens for the tasks of `upstream-driver.mjs`. The product does each in this process, with the suite's server as its
 * upstream server: it signs in if the scenario is about that, reviews the tools and calls each of them.
 * @param homeOf returns the home of a scenario, or undefined if the scenario does not apply
 */
export async function startUpstreamClient(
  homeOf: (scenario: string) => Promise<Home> | undefined,
): Promise<{ address: string; close: () => void }> {
  const server = createServer((request, response) => {
    void json(request)
      .then(async (body) => {
        const { scenario, url, context } = task.parse(body);
        const home = await homeOf(scenario);
        if (home === undefined) return;
        const { client_id: clientId, client_secret: clientSecret } = context;
        const oauth = clientId === undefined ? {} : { oauth: { clientId, clientSecret } };
        writeServers(home, { up: { type: "http", url, tools: { "*": "low" }, ...oauth } });
        if (scenario.startsWith("auth/")) await signIn(home);
        const review = ["servers", "review", "up", "--accept-proposed", "--secret-stdin"];
        await runHere(home, review, { input: `${operatorSecret}\n` });
        await callTools(home, context.toolCalls);
      })
      // The suite judges by what it received: a command that was refused is often what a scenario wants.
      .finally(() => response.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Signs in: a person would follow the printed address in a browser. */
async function signIn(home: Home): Promise<void> {
  let said = "";
  let isOpen = false;
  const { ended } = startCommandHere(home, ["servers", "login", "up"], (_, text) => {
    said += text;
    const page = /https?:\/\/\S+(?=\s)/.exec(said)?.[0];
    if (page === undefined || isOpen) return;
    isOpen = true;
    void fetch(page).catch((error: unknown) => home.note(String(error)));
  });
  await ended;
}

/** Starts the server, lists its tools and calls those of the upstream server. */
async function callTools(home: Home, asked?: readonly z.infer<typeof toolCall>[]): Promise<void> {
  const server = serveHere(home);
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Record<string, unknown>;
    waiting.get(message["id"])?.(message);
  });
  let id = 0;
  const send = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      server.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await send("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "conformance", version: "1.0.0" },
  });
  const { tools } = listed.parse((await send("tools/list", {}))["result"]);
  const calls =
    asked ??
    tools
      .filter(({ name }) => name.startsWith("up__"))
      .map(({ name, inputSchema }) => ({
        name: name.slice("up__".length),
        arguments: Object.fromEntries(
          Object.entries(inputSchema.properties ?? {}).map(([key, { type }]) => [
            key,
            sample(type),
          ]),
        ),
      }));
  for (const { name, arguments: args } of calls) {
    const answer = await send("tools/call", { name: `up__${name}`, arguments: args });
    home.note(`${name} ${JSON.stringify(answer).slice(0, 300)}`);
  }
  server.hangUp();
  await server.ended;
}

function sample(type: unknown): unknown {
  if (type === "number" || type === "integer") return 5;
  return type === "boolean" ? true : "word";
}
