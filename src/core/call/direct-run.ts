import type { AuditRecord } from "../audit/audit.ts";
import type { RepeatedFailureGuard } from "../budget/repeated-failure-guard.ts";
import type { Decided } from "../policy/decide.ts";
import type { Data } from "../shared/data.ts";
import type { Cancellation } from "../shared/lazy-signal.ts";
import type { Log } from "../shared/log.ts";
import type { Prepared, TellProgress } from "../tool/tool.ts";
import { assertNotStopped } from "./caller-stop.ts";
import type { CallTrail } from "./call-trail.ts";
import type { ParsedCall } from "./decision-steps.ts";
import { failureOf } from "./failure.ts";
import { type Outcome, done, refused } from "./outcome.ts";
import type { ToolExecutor } from "./tool-executor.ts";

/** The end of a call that needs no approval, and of one that fails before a person is asked. */
export interface DirectRun<Ports> {
  /** Runs a call that needs no approval, and audits it. */
  run(
    call: ParsedCall<Ports>,
    prepared: Prepared<Data>,
    decided: Decided,
    trail: CallTrail,
    caller: { signal: Cancellation; progress?: TellProgress | undefined },
  ): Promise<Outcome>;
  /** Audits a failed call and returns its error. `acted` is true if the tool may have changed something. */
  fail(
    request: { tool: string; principal: string; arguments: unknown },
    trail: CallTrail,
    thrown: unknown,
    end: { event: "refused" | "called" | "finished"; acted: boolean },
  ): Outcome;
}

export function createDirectRun<Ports>({
  audit,
  executor,
  failures,
  log,
}: {
  audit: AuditRecord;
  executor: ToolExecutor<Ports>;
  failures: RepeatedFailureGuard;
  log: Log;
}): DirectRun<Ports> {
  const fail: DirectRun<Ports>["fail"] = (request, trail, thrown, { event, acted }) => {
    const failure = failureOf(log, thrown, request.tool, acted);
    const error = failures.failed(request, trail.identity().digest, failure);
    audit.enqueue(trail.event(event, { outcome: error.kind }));
    return refused(error);
  };

  return {
    run: async ({ tool, args, principal, digest }, prepared, decided, trail, caller) => {
      const isReported = decided.verdict === "report";
      // A low-risk call is one audit event, written with its outcome. The call waits only if the audit queue is full.
      const room = isReported ? audit.append(trail.event("started")) : audit.backpressure();
      if (room !== undefined) await room;
      const event = isReported ? "finished" : "called";
      const acted = tool.operation !== "reads";
      try {
        const { callId } = trail;
        const { version } = prepared;
        const { progress, signal } = caller;
        const run = { principal, callId, version, progress, signal };
        assertNotStopped(signal);
        const output = await executor.execute(tool, prepared.args ?? args, run);
        failures.succeeded({ principal, digest }, acted);
        const sentence = tool.describe(args, output);
        audit.enqueue(trail.event(event, { sentence, outcome: "ok" }));
        return done(tool, args, output, isReported);
      } catch (thrown) {
        const named = { tool: tool.name, principal, arguments: args };
        return fail(named, trail, thrown, { event, acted });
      }
    },
    fail,
  };
}
