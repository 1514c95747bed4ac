import type { z } from "zod";
import { answerWithinMs, whyUnanswered } from "./why-unanswered.ts";

/** The reason why a step failed, as one sentence. */
export class StepError extends Error {
  override readonly name = "StepError";
}

/** The server sends the first part of a stream immediately. A proxy that buffers the stream never passes it on. */
const firstPartWithinMs = 5_000;

/** Waits for the first part of a stream, and closes it. */
export async function firstPart(address: string, init: RequestInit): Promise<void> {
  const held = "The proxy buffers streamed responses. Turn off this buffering.";
  const closing = new AbortController();
  const timer = setTimeout(() => closing.abort(), firstPartWithinMs);
  try {
    const response = await fetch(address, { redirect: "manual", signal: closing.signal, ...init });
    if (response.status !== 200) {
      throw new StepError(`A request for a stream was answered with ${response.status}.`);
    }
    const part = await response.body?.getReader().read();
    if (part?.value === undefined) throw new StepError("A stream ended before its first part.");
  } catch (cause) {
    if (cause instanceof StepError) throw cause;
    throw new StepError(held, { cause });
  } finally {
    clearTimeout(timer);
    closing.abort();
  }
}

/** Returns why a proxy gives such a response, and what to do. Empty if the cause is unknown. */
export function reasonOf(status: number, body: string): string {
  if (status === 403 && body.includes("ALLOWED_HOSTS")) {
    return "The proxy changes the header Host. Let it pass Host on, or add that name to ALLOWED_HOSTS.";
  }
  if (status >= 300 && status < 400)
    return "It redirects, and clients do not repeat their request there.";
  if (status === 404) return "The proxy does not forward this path.";
  if (status === 200) return "Another program or the proxy itself answers there.";
  return status >= 502 && status <= 504 ? "The proxy does not reach this server." : "";
}

/** Sends a request. @throws StepError if there is no response */
export async function ask(address: string, init: RequestInit = {}) {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(address, { redirect: "manual", signal, ...init });
    return { status: response.status, headers: response.headers, body: await response.text() };
  } catch (cause) {
    throw new StepError(whyUnanswered(address, cause), { cause });
  }
}

/** Reads a document. @throws StepError if it does not match the schema */
export async function readJson<T>(address: string, schema: z.ZodType<T>): Promise<T> {
  const { status, body, headers } = await ask(address);
  if (status !== 200) {
    const text = `${address} answered ${status} instead of 200.`;
    throw new StepError([text, reasonOf(status, body)].join(" ").trim());
  }
  const type = headers.get("content-type") ?? "no type";
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new StepError(`${address} has the type ${type} instead of application/json.`);
  }
  const parsed = schema.safeParse(jsonOf(body));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new StepError(`${address} has no valid ${field === "" ? "JSON" : `"${field}"`}.`);
}

/** Returns the value of a JSON text. Undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asserts that a value is the expected one. @throws StepError */
export function assertIs(found: string, expected: string, what: string): void {
  if (found === expected) return;
  throw new StepError(
    `${what} is not ${expected}. Set PUBLIC_URL to the address that clients use.`,
  );
}
