import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  TRACEPARENT_META_KEY,
} from "@modelcontextprotocol/server";
import { clientName } from "../core/shared/text/client-name.ts";
import type { ClientEvent, DialogAction } from "../core/shared/client-report.ts";
import { type Data, isContainer } from "../core/shared/data.ts";

/**
 * A dialog that the server closes after this time counts as unanswered. If it closes earlier, another channel decided.
 * Milliseconds.
 */
const unansweredMs = 40_000;

export interface WireWatch {
  received(message: unknown): void;
  sent(message: unknown): void;
}

/**
 * Reports the behaviour of a client, from the messages of one connection. Each kind of event is reported once, and
 * dialogs each time. Arguments and content are not read.
 */
export function watchWire(
  report: (event: ClientEvent) => void,
  now: () => number = () => performance.now(),
): WireWatch {
  const reported = new Set<string>();
  const dialogs = new Map<unknown, number>();
  /** The open question of the 2026 era, which a later call answers. */
  let question: number | undefined;

  function once(event: ClientEvent): void {
    const key = JSON.stringify(event);
    if (reported.has(key)) return;
    reported.add(key);
    report(event);
  }

  function describe(info: unknown, capabilities: unknown): void {
    const { name, version } = fields(info);
    once({
      kind: "client",
      name: clientName(typeof name === "string" ? name : ""),
      version: typeof version === "string" ? shortWord(version) : "",
      capabilities: Object.keys(fields(capabilities)).map(shortWord).toSorted(),
    });
  }

  function answered(since: number, answer: DialogAction): void {
    report({ kind: "answered", answer, afterMs: Math.round(now() - since) });
  }

  return {
    received: (message) => {
      const { method, id, params, result, error } = fields(message);
      const since = dialogs.get(id);
      if (method === undefined && since !== undefined) {
        dialogs.delete(id);
        answered(since, error === undefined ? actionOf(result) : "nothing");
      }
      if (typeof method !== "string") return;
      const given = fields(params);
      const meta = fields(given["_meta"]);
      if (method === "initialize") describe(given["clientInfo"], given["capabilities"]);
      if (meta[CLIENT_INFO_META_KEY] !== undefined)
        describe(meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]);
      const version = meta[PROTOCOL_VERSION_META_KEY];
      if (typeof version === "string") once({ kind: "protocol", version: shortWord(version) });
      once({ kind: "message", method: shortWord(method) });
      if (meta["progressToken"] !== undefined) once({ kind: "forwards", what: "progress token" });
      if (meta[TRACEPARENT_META_KEY] !== undefined)
        once({ kind: "forwards", what: "trace context" });
      if (question !== undefined && given["requestState"] !== undefined) {
        const [response] = Object.values(fields(given["inputResponses"]));
        answered(question, actionOf(response));
        question = undefined;
      }
    },
    sent: (message) => {
      const { method, id, params, result } = fields(message);
      const { protocolVersion, inputRequests } = fields(result);
      if (typeof protocolVersion === "string") once({ kind: "protocol", version: protocolVersion });
      const isDialog = method === "elicitation/create" || inputRequests !== undefined;
      if (isDialog) report({ kind: "dialog" });
      if (method === "elicitation/create") dialogs.set(id, now());
      else if (isDialog) question = now();
      if (method !== "notifications/cancelled") return;
      const { requestId } = fields(params);
      const since = dialogs.get(requestId);
      if (since === undefined) return;
      dialogs.delete(requestId);
      if (now() - since >= unansweredMs) answered(since, "nothing");
    },
  };
}

function actionOf(result: unknown): DialogAction {
  const { action } = fields(result);
  return action === "accept" || action === "decline" || action === "cancel" ? action : "nothing";
}

function fields(value: unknown): Data {
  return isContainer(value) ? value : {};
}

/** Returns a name of the protocol, shortened and checked, because a client may send any text. */
function shortWord(text: string): string {
  return /^[\w./$+-]{1,64}$/.test(text) ? text : "other";
}
