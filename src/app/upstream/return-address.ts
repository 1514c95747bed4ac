import { createHash } from "node:crypto";
import { once } from "node:events";
import { type ServerResponse, createServer } from "node:http";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "../../core/tool/tool-error.ts";
import { style } from "../../channels/page/style.ts";
import type { Return } from "../../adapters/mcp-client/sign-in/sign-in.ts";

const path = "/callback";
/** How long a person may take at the sign-in page. Milliseconds. */
const waitForMs = 600_000;

/** The style is part of the page, because this server ends with the first response. */
const styleHash = createHash("sha256").update(style).digest("base64");

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} - Countersign</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>${style}</style>
</head>
<body><header><h1>Countersign</h1></header>
<main><h2>${title}</h2><div class="card"><p>${text}</p></div></main></body>
</html>
`;

interface ReturnAddress extends Return {
  /**
   * Also accepts the address as a line of text, from a person whose browser is on another machine. Returns the function
   * that stops.
   */
  readPasted(input: Readable, say: (text: string) => void, output?: Writable): () => void;
  close(): void;
}

/**
 * Listens on this machine for the browser that returns from a sign-in (RFC 8252 section 7.3). A return without the
 * expected state is refused.
 * @param wanted the port of a registered redirect address, or 0 for a free one
 * @throws ToolError `conflict` if another program uses that port
 */
export async function listenForReturn(wanted = 0): Promise<ReturnAddress> {
  const waiting = new Map<string, (parameters: URLSearchParams) => void>();

  /** Returns whether a sign-in waits for this address. It then gets the parameters. */
  function accept({ pathname, searchParams }: URL): boolean {
    const state = searchParams.get("state") ?? "";
    const resolve = pathname === path ? waiting.get(state) : undefined;
    if (resolve === undefined) return false;
    waiting.delete(state);
    resolve(searchParams);
    return true;
  }

  const server = createServer((request, response) => {
    const isAccepted =
      request.method === "GET" && accept(new URL(request.url ?? "/", "http://localhost"));
    sendPage(response, isAccepted);
  });
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening").catch((cause: unknown) => {
    const text = `The port ${wanted} of the redirect address is in use, perhaps by another sign-in. No sign-in was stored.`;
    throw new ToolError("conflict", text, { cause });
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    redirectUrl: `http://127.0.0.1:${port}${path}`,
    parameters: (state) =>
      withinTheWait(new Promise<URLSearchParams>((resolve) => waiting.set(state, resolve))),
    readPasted: (input, say, output) =>
      readLines(input, output, (line) => {
        if (line === "" || (URL.canParse(line) && accept(new URL(line)))) return;
        say("The browser was not redirected to this address. Nothing was stored.");
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendPage(response: ServerResponse, isAccepted: boolean): void {
  response.writeHead(isAccepted ? 200 : 400, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'`,
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(
    isAccepted
      ? page(
          "Sign-in at an upstream server",
          "The sign-in page sent its response. Close this page, and look at the terminal.",
        )
      : page(
          "Not a sign-in",
          "This page does not belong to a sign-in that Countersign began. Nothing was stored.",
        ),
  );
}

/**
 * Waits for the browser.
 * @throws ToolError `timeout` if it does not return within `waitForMs`
 */
async function withinTheWait<T>(arrived: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const minutes = waitForMs / 60_000;
      const text = `No browser returned from the sign-in page within ${minutes} minutes. No sign-in was stored.`;
      reject(new ToolError("timeout", text));
    }, waitForMs);
  });
  try {
    return await Promise.race([arrived, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads lines without the white space around them, until the returned function is called. */
function readLines(
  input: Readable,
  output: Writable | undefined,
  read: (line: string) => void,
): () => void {
  // The terminal of macOS cuts lines of over 1 024 bytes, unless this reads each key.
  const lines = createInterface({ input, ...(output && { output }) });
  lines.on("SIGINT", () => {
    lines.close();
    process.kill(process.pid, "SIGINT");
  });
  lines.on("line", (line) => read(line.trim()));
  return () => lines.close();
}
