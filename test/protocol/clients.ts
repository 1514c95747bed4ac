import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpTransportV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpTransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type Answer, answerOf } from "./answer.ts";
import type { Home } from "./home.ts";
import {
  type HttpServer,
  type Principal,
  type Transport,
  startHttpHere,
  tokens,
} from "./http-server.ts";
import { bareEnv, program } from "./program.ts";
import { StdioHere } from "./stdio-here.ts";

/** Every combination of era and SDK in which an official client speaks. */
export const clientKinds = ["v1", "v2 legacy", "v2 auto", "v2 pinned"] as const;
export type ClientKind = (typeof clientKinds)[number];

export function isModern(kind: ClientKind): boolean {
  return kind === "v2 auto" || kind === "v2 pinned";
}

/** The person's action in a client's dialog. `nothing`: the dialog stays open until it is closed from outside. */
export type Reaction = "approve" | "deny" | "decline" | "cancel" | "nothing";

/** One dialog that the client opened. */
export interface Dialog {
  message: string;
  /** The form that the person fills in. */
  form: unknown;
  /** True once the server has taken the question back. */
  closed: boolean;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: unknown) => void;
}

export interface TestClient {
  dialogs: readonly Dialog[];
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  listTools(): Promise<ListedTool[]>;
  instructions(): string | undefined;
  /** Closes the connection and with it the server. */
  close(): Promise<void>;
}

const listedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  outputSchema: z.looseObject({ type: z.literal("object") }),
  annotations: z.record(z.string(), z.boolean()),
  _meta: z.object({ "dev.countersign/risk": z.enum(["low", "medium", "high", "dynamic"]) }),
});
type ListedTool = z.output<typeof listedTool>;

export interface ConnectOptions {
  /** The client declares form elicitation, and the person reacts in this way. */
  elicitation?: Reaction;
  /**
   * The transport, stdio by default. `here`: `serve` over stdio in this process, for tests whose subject is not the
   * process.
   */
  over?: Transport | "here";
  /** An HTTP server that already runs and outlives the client, and its caller. */
  at?: HttpServer;
  as?: Principal;
  /** The token of another caller than `as` knows. */
  token?: string;
}

/** Connects a client of this kind, with a server of its own unless one is given. */
export async function connect(
  home: Home,
  kind: ClientKind,
  { elicitation, over = "stdio", at, as = "alice", token = tokens[as] }: ConnectOptions = {},
): Promise<TestClient> {
  const dialogs: Dialog[] = [];
  const react = async (params: unknown, signal: AbortSignal) => {
    const question = z.object({ message: z.string(), requestedSchema: z.unknown() });
    const { message, requestedSchema: form } = question.parse(params);
    const dialog: Dialog = { message, form, closed: false };
    dialogs.push(dialog);
    signal.addEventListener("abort", () => (dialog.closed = true));
    switch (elicitation) {
      case "approve":
      case "deny":
        return { action: "accept" as const, content: { decision: elicitation } };
      case "decline":
      case "cancel":
        return { action: elicitation };
      default:
        return await new Promise<never>(() => undefined);
    }
  };
  const own = over === "HTTP" && at === undefined ? startHttpHere(home) : undefined;
  const http = at ?? own;
  const here = over === "here" ? { client: new StdioHere(home) } : undefined;
  const place = here ?? (http === undefined ? home : { url: new URL(await http.url), token });
  const client = await (kind === "v1" ? openV1 : openV2)(place, kind, elicitation && react);
  const close = async (): Promise<void> => {
    await client.close();
    await own?.stop();
  };
  home.later(close);
  return { ...client, dialogs, close };
}

type React = (
  params: unknown,
  signal: AbortSignal,
) => Promise<
  { action: "accept"; content: { decision: string } } | { action: "decline" | "cancel" }
>;

const who = { name: "protocol-test", version: "1.0.0" };

/** The place of the server: started with this home, at a URL, or in this process. */
type Place = Home | { url: URL; token: string } | { client: StdioHere };

function httpOptions({ token }: { token: string }) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

/** Connects a client to a server in this process. */
export function connectHere(
  home: Home,
  kind: ClientKind,
  options: Omit<ConnectOptions, "over" | "at" | "as" | "token"> = {},
): Promise<TestClient> {
  return connect(home, kind, { ...options, over: "here" });
}

function serverOf(home: Home) {
  const env = bareEnv(home.env);
  return { command: process.execPath, args: [program, "serve"], env, stderr: "ignore" as const };
}

async function openV1(place: Place, _kind: ClientKind, react: React | undefined) {
  const client = new ClientV1(who, { capabilities: react ? { elicitation: {} } : {} });
  if (react) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      react(params, signal),
    );
  }
  await client.connect(
    "url" in place
      ? new HttpTransportV1(place.url, httpOptions(place))
      : "client" in place
        ? place.client
        : new TransportV1(serverOf(place)),
  );
  return {
    call: async (name: string, args: Record<string, unknown> = {}, options: CallOptions = {}) =>
      answerOf(await client.callTool({ name, arguments: args }, undefined, options)),
    listTools: async () => listedTool.array().parse((await client.listTools()).tools),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

/** The SDK's client starts a second process to ask for the era, unless its transport is a subclass. "v2 auto" does so. */
class OneProcess extends TransportV2 {}

const modes = {
  "v2 legacy": "legacy",
  "v2 auto": "auto",
  "v2 pinned": { pin: "2026-07-28" },
} as const;

async function openV2(place: Place, kind: ClientKind, react: React | undefined) {
  const mode = kind === "v1" ? "legacy" : modes[kind];
  const client = new ClientV2(who, {
    capabilities: react ? { elicitation: {} } : {},
    versionNegotiation: { mode },
  });
  if (react) {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      react(params, mcpReq.signal),
    );
  }
  await client.connect(
    "url" in place
      ? new HttpTransportV2(place.url, httpOptions(place))
      : "client" in place
        ? place.client
        : new (kind === "v2 pinned" ? OneProcess : TransportV2)(serverOf(place)),
  );
  return {
    call: async (name: string, args: Record<string, unknown> = {}, options: CallOptions = {}) =>
      answerOf(await client.callTool({ name, arguments: args }, options)),
    listTools: async () => listedTool.array().parse((await client.listTools()).tools),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}
