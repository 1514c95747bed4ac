import type { TellProgress } from "../core/tool/tool.ts";
import type { CallContext } from "./call-context.ts";

/** Limit on notifications for one call. More would be noise. */
const maxNotifications = 1_000;

/**
 * Returns the function that passes on a tool's progress. Undefined if the client gave no token. Values that do not
 * increase are dropped, as the protocol requires.
 */
export function progressTo(ctx: CallContext): TellProgress | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -Infinity;
  let count = 0;
  return ({ progress, total }) => {
    if (!Number.isFinite(progress) || progress <= last || count >= maxNotifications) return;
    last = progress;
    count += 1;
    const params = {
      progressToken,
      progress,
      ...(Number.isFinite(total) && { total }),
    };
    // A disconnected client needs no progress. The call itself notices through its signal.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
}
