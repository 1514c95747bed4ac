import { describe, expect, it } from "vitest";
import { approvalOf } from "./answer.ts";
import { newHome, storedFile } from "./home.ts";
import { dialogOf, questionOf, raw2025Here, raw2026Here } from "./raw-server.ts";

const key = "plan.md";

// A client that shows forms says so, or says nothing more than that it can ask (MCP 2025-11-25, elicitation capabilities).
const withForms = [{}, { form: {} }, { form: {}, url: {} }];
const withoutForms = [{ url: {} }];

describe.concurrent("a client of the 2025 era", () => {
  it.for(withForms)("that declares elicitation %j is asked in a form", async (elicitation, t) => {
    const server = await raw2025Here(newHome(t), { elicitation });
    await server.answer("write_file", { key, content: "a plan" });
    server.answer("delete_file", { key }).catch(() => undefined);
    expect((await dialogOf(server)).message).toContain(`Delete the file "${key}"`);
  });

  it.for(withoutForms)("that declares elicitation %j is not asked", async (elicitation, t) => {
    const home = newHome(t);
    const server = await raw2025Here(home, { elicitation });
    await server.answer("write_file", { key, content: "a plan" });
    const answer = await server.answer("delete_file", { key });
    expect(approvalOf(answer).status).toBe("pending");
    // The client did not answer `not here`, because no dialog was ever shown.
    expect(approvalOf(answer)).not.toHaveProperty("answered");
    expect(server.messages.map(({ method }) => method)).not.toContain("elicitation/create");
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });
});

describe.concurrent("a client of the 2026 era", () => {
  it.for(withForms)("that declares elicitation %j is asked in a form", async (elicitation, t) => {
    const server = raw2026Here(newHome(t), { elicitation });
    await server.answer("write_file", { key, content: "a plan" });
    const reply = await server.callTool("delete_file", { key });
    expect(questionOf(reply).message).toContain(`Delete the file "${key}"`);
  });

  it.for(withoutForms)("that declares elicitation %j is not asked", async (elicitation, t) => {
    const home = newHome(t);
    const server = raw2026Here(home, { elicitation });
    await server.answer("write_file", { key, content: "a plan" });
    const answer = await server.answer("delete_file", { key });
    expect(approvalOf(answer).status).toBe("pending");
    expect(await storedFile(home, key)).toEqual({ there: true, undoCopies: 0 });
  });
});
