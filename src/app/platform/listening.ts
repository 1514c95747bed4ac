import { once } from "node:events";
import { connect, createServer } from "node:net";
import { ToolError } from "../../core/tool/tool-error.ts";
import { systemCode } from "./safe-file.ts";

/** An address to listen at, and the settings that name it. */
export interface ListenAddress {
  host: string;
  /** 0 means any free port. */
  port: number;
  settings: readonly [host: string, port: string];
  /** The end of an error message: `No mail was accepted.` */
  nothing: string;
}

type Listener = "SMTP" | "INGEST_HTTP" | "HTTP";

/** Returns the address from the settings. */
export function listenAddressOf(
  listener: Listener,
  { host, port }: { host: string; port: number },
): ListenAddress {
  const hostSetting = listener === "SMTP" ? "SMTP_HOST" : "HTTP_HOST";
  const nothing = listener === "HTTP" ? "Nothing was started." : "No mail was accepted.";
  return { host, port, settings: [hostSetting, `${listener}_PORT`], nothing };
}

/**
 * Opens a receiver.
 * @throws ToolError `not_configured` with the name of the setting if its address is not available
 */
export async function withListenErrors<T>(
  place: ListenAddress,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const [reason, hint] = reasonOf(place, systemCode(cause));
    throw new ToolError("not_configured", `${reason}. ${place.nothing}`, { cause, hint });
  }
}

/**
 * Tests whether `ingest` could listen at the address or already does. An `ingest` process is recognised by its response
 * to `hello` within 2 s.
 * @throws ToolError as `withListenErrors`
 */
export async function tryListening(
  place: ListenAddress,
  ours: { hello: string; answer: RegExp },
): Promise<void> {
  const { host, port } = place;
  await withListenErrors(place, async () => {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, "listening");
    } catch (error) {
      if (systemCode(error) !== "EADDRINUSE" || !(await answers(place, ours))) throw error;
    } finally {
      server.close();
    }
  });
}

async function answers(
  { host, port }: ListenAddress,
  { hello, answer }: { hello: string; answer: RegExp },
): Promise<boolean> {
  // A server on all addresses is reachable at this machine's own.
  const socket = connect({ port, host: host === "0.0.0.0" || host === "::" ? "localhost" : host });
  socket.setTimeout(2_000, () => socket.destroy());
  socket.write(hello);
  let said = "";
  try {
    for await (const chunk of socket) {
      said += String(chunk);
      if (answer.test(said) || said.length > 10_000) break;
    }
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
  return answer.test(said);
}

/** Returns what failed, and what to do. */
function reasonOf(
  { host, port, settings }: ListenAddress,
  code: string | undefined,
): readonly [reason: string, hint: string] {
  const [hostSetting, portSetting] = settings;
  const where = `${host}:${port}`;
  switch (code) {
    case "EADDRINUSE":
      return [
        `${portSetting}: another program listens at ${where} already`,
        `Stop that program, or set ${portSetting} to another port.`,
      ];
    case "EACCES":
      return [
        `${portSetting}: this user may not listen at ${where}`,
        `Set ${portSetting} to 1024 or more.`,
      ];
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return [
        `${hostSetting}: ${host} is not an address of this machine`,
        `Set ${hostSetting} to one of its addresses.`,
      ];
    default:
      return [
        `${hostSetting}, ${portSetting}: cannot listen at ${where} (${code})`,
        `Set ${hostSetting} and ${portSetting} to another address.`,
      ];
  }
}
