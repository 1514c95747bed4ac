import { describe, expect, it, vi } from "vitest";
import { connect, connectHere, isModern } from "./clients.ts";
import { newHome, newestTicket } from "./home.ts";
import { decideHere } from "./program.ts";

const key = "plan.md";

describe.concurrent("progress", () => {
  const kinds = ["v1", "v2 legacy", "v2 pinned"] as const;
  const ways = [
    ...kinds.map((kind) => ({ kind, over: "HTTP" as const })),
    ...kinds.map((kind) => ({ kind, over: "here" as const })),
    { kind: "v2 legacy" as const, over: "stdio" as const },
  ];
  it.for(ways)(
    "is sent to a $kind client over $over while a call waits for the person",
    async ({ kind, over }, t) => {
      const home = newHome(t, { APPROVAL_WAIT_MS: "45000" });
      // In the 2025 era a dialog is open meanwhile. In the 2026 era a call with a dialog does not wait.
      const client = await connect(home, kind, {
        over,
        ...(!isModern(kind) && { elicitation: "nothing" as const }),
      });
      await client.call("write_file", { key, content: "a plan" });
      const told: unknown[] = [];
      const call = client.call("delete_file", { key }, { onprogress: (each) => told.push(each) });
      await vi.waitFor(() => expect(told.length).toBeGreaterThan(0), 30_000);
      expect(told[0]).toEqual({ progress: 1, message: "Waiting for the user's decision" });
      await decideHere(home, "approve", await newestTicket(home));
      expect((await call).output).toMatchObject({ key, deleted: true });
    },
  );

  it("is sent only for calls that wait", async (t) => {
    const client = await connectHere(newHome(t), "v2 legacy");
    const told: unknown[] = [];
    await client.call("list_files", {}, { onprogress: (each) => told.push(each) });
    expect(told).toEqual([]);
  });
});
