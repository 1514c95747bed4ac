import type { ServerResponse } from "node:http";
import type { HttpLimits } from "./limits.ts";

/** Answers a health check. */
export function reportHealth(response: ServerResponse, isHealthy: boolean): void {
  response.writeHead(isHealthy ? 200 : 503, { "content-type": "text/plain; charset=utf-8" });
  response.end(isHealthy ? "ok\n" : "unavailable\n");
}

/** Returns a function that caches a result for a short time. A late result counts as false. */
export function cachedHealth(
  ask: () => Promise<boolean>,
  limits: HttpLimits,
  now: () => number,
): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > limits.healthAgeAtMost) {
      const late = new Promise<boolean>((resolve) => {
        setTimeout(() => resolve(false), limits.healthWithin).unref();
      });
      const answer = Promise.race([ask().catch(() => false), late]);
      last = { at: now(), answer };
    }
    return last.answer;
  };
}
