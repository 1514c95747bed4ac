import { once } from "node:events";
import { connect, createServer } from "node:net";
import { ToolError } from "../../core/tool/tool-error.ts";

/** An address to listen at, and the settings that name it. */
export interface ListenAddress {
  host: string;
  /** 0 takes a free one. */
  port: number;
  settings: readonly [host: string, port: string];
  /** What a refusal ends with: `No mail was accepted.` */
  nothing: string;
}

type Listener = "SMTP" | "INGEST_HTTP" | "HTTP";

/** Where one of our programs listens. */
export function listenAddressOf(
  listener: Listener,
  { host, port }: { host: string; port: number },
): ListenAddress {
  const hostSetting = listener === "SMTP" ? "SMTP_HOST" : "HTTP_HOST";
  const nothing = listener === "HTTP" ? "Nothing was started." : "No mail was accepted.";
  return { host, port, settings: [hostSetting, `${listener}_PORT`], nothing };
}

/** Opens a receiver; throws `not_configured` where its address cannot be had, and names the setting. */
export async function withListenErrors<T>(
  place: ListenAddress,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const reason = reasonOf(place, codeOf(cause));
    throw new ToolError("not_configured", `${reason}. ${place.nothing}`, { cause });
  }
}

/**
 * Whether `ingest` could listen there, or one does: throws as it would. An `ingest` is known by how it answers `hello`; one that
 * says nothing within 2 s is none.
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
      if (codeOf(error) !== "EADDRINUSE" || !(await answers(place, ours))) throw error;
    } finally {
      server.close();
    }
  });
}

async function answers(
  { host, port }: ListenAddress,
  { hello, answer }: { hello: string; answer: RegExp },
): Promise<boolean> {
  // What listens on all addresses is reached at this machine's own.
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

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function reasonOf({ host, port, settings }: ListenAddress, code: string): string {
  const [hostSetting, portSetting] = settings;
  const where = `${host}:${port}`;
  switch (code) {
    case "EADDRINUSE":
      return `${portSetting}: another program listens at ${where} already`;
    case "EACCES":
      return `${portSetting}: this user may not listen at ${where}`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${hostSetting}: ${host} is no address of this machine`;
    default:
      return `${hostSetting}, ${portSetting}: cannot listen at ${where} (${code})`;
  }
}
