import { describe, expect, it } from "vitest";
import type { RecentChange } from "../../src/ports/files/recent-changes.ts";
import { createFakePageRecord } from "../fakes/page-record.ts";
import { pageWorld, secrets } from "../fakes/page-visit.ts";

function change(seq: number, principal: string, fields: Partial<RecentChange> = {}): RecentChange {
  const until = new Date("2026-03-02T12:00:00Z");
  return {
    seq,
    at: new Date("2026-03-01T11:00:00Z"),
    principal,
    client: "Claude Desktop",
    tool: "write_file",
    sentence: `wrote <b>${principal}</b>.md`,
    undo: { undoId: `un_${seq}`, until, state: "possible" },
    ...fields,
  };
}

function world() {
  const changes = [change(2, "alice"), change(1, "bob")];
  const events = changes.map(({ seq, principal, sentence, client, at }) => ({
    event: {
      type: "finished" as const,
      callId: `c${seq}`,
      tool: "write_file",
      outcome: "ok",
      principal,
      sentence,
      client,
      at,
    },
  }));
  const record = createFakePageRecord({ changes, events });
  return { record, changes, ...pageWorld(record) };
}

type Visitor = ReturnType<typeof world>["local"];

async function nonceOf(visitor: Visitor, undoId: string): Promise<string> {
  const html = (await visitor.list()).split(`value="${undoId}"`)[1] ?? "";
  return /name="nonce"\s+value="([^"]+)"/.exec(html)?.[1] ?? "";
}

const press = async (visitor: Visitor, undoId: string, nonce: string) =>
  await visitor.post(`${visitor.base()}/undo`, { change: undoId, nonce });

describe("changes on the page", () => {
  it("are listed below the requests with an undo button [activity.channels]", async () => {
    const { record, local, access } = world();
    await local.enter(access.newEntry());
    const html = await local.list();
    expect(html).toContain("Recently done");
    expect(html).toContain("wrote &lt;b&gt;alice&lt;/b&gt;.md");
    const pressed = await press(local, "un_2", await nonceOf(local, "un_2"));
    expect(pressed.status).toBe(303);
    const after = await (await local.get(pressed.headers.get("location") ?? "")).text();
    expect(after).toContain("<strong>Undone:</strong>");
    expect(record.undone).toEqual(["un_2"]);
  });

  it("ask before an older version replaces a newer one, for this version alone [undo.nothing-newer]", async () => {
    const record = createFakePageRecord({ changes: [change(2, "alice")], newer: "v7" });
    const { local, access } = pageWorld(record);
    await local.enter(access.newEntry());
    const asked = await press(local, "un_2", await nonceOf(local, "un_2"));
    expect(asked.status).toBe(409);
    const html = await asked.text();
    expect(html).toContain("The event has changed since then");
    expect(record.restored).toEqual([]);
    const nonce = /name="nonce"\s+value="([^"]+)"/.exec(html)?.[1] ?? "";
    const answer = (version: string) =>
      local.post(`${local.base()}/undo`, { change: "un_2", version, nonce });
    expect((await answer("v8")).status).toBe(403);
    expect((await answer("v7")).status).toBe(303);
    expect(record.restored).toEqual(["v7"]);
  });

  // One press undid a change of a meeting, and the calendar server wrote to everybody in it.
  it("ask before an undo that people may be notified of, and name them", async () => {
    const given = { changes: [change(2, "alice")], invited: ["eve@example.org"] };
    const record = createFakePageRecord(given);
    const { local, access } = pageWorld(record);
    await local.enter(access.newEntry());
    const asked = await press(local, "un_2", await nonceOf(local, "un_2"));
    expect(asked.status).toBe(409);
    const html = await asked.text();
    expect(html).toContain("People are invited to this event");
    expect(html).toContain("eve@example.org");
    expect(record.undone).toEqual([]);
    const nonce = /name="nonce"\s+value="([^"]+)"/.exec(html)?.[1] ?? "";
    const form = { change: "un_2", version: "v1", nonce };
    expect((await local.post(`${local.base()}/undo`, form)).status).toBe(303);
    expect(record.undone).toEqual(["un_2"]);
  });

  it("are not undone by another change's form, and not twice", async () => {
    const { record, local, access } = world();
    await local.enter(access.newEntry());
    const nonce = await nonceOf(local, "un_2");
    expect((await press(local, "un_1", nonce)).status).toBe(403);
    expect(record.undone).toEqual([]);
    await press(local, "un_2", nonce);
    const again = await press(local, "un_2", nonce);
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("It has already been undone.");
  });

  it("are shown to an approver only within their scope [activity.own]", async () => {
    const { record, changes, published, anybody } = world();
    await published.signIn(secrets.alice);
    const page = await published.list();
    expect([page.includes("un_2"), page.includes("un_1")]).toEqual([true, false]);
    const activity = await (await published.get("/approvals/activity")).text();
    expect([activity.includes("alice&lt;"), activity.includes("bob&lt;")]).toEqual([true, false]);
    // Even with the nonce that this session would have for it: here it had, as long as the change was alice's.
    const [, ofBob] = changes;
    changes[1] = change(1, "alice");
    const nonce = await nonceOf(published, "un_1");
    changes[1] = ofBob!;
    expect(nonce).not.toBe("");
    expect((await press(published, "un_1", nonce)).status).toBe(403);
    const operator = anybody();
    await operator.signIn(secrets.operator);
    const all = await operator.list();
    expect([all.includes("un_2"), all.includes("un_1")]).toEqual([true, true]);
    expect(record.undone).toEqual([]);
  });

  it("are hidden without a session", async () => {
    const { anybody } = world();
    const response = await anybody().get("/approvals/activity");
    expect(await response.text()).not.toContain("wrote");
  });
});
