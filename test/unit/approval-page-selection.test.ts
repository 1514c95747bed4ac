import { beforeEach, describe, expect, it } from "vitest";
import { fatigue } from "../../src/core/approvals/fatigue.ts";
import type { Ticket } from "../../src/core/approvals/ticket.ts";
import type { OperationKind } from "../../src/core/tool/tool.ts";
import { effect, pageWorld, secrets } from "../fakes/page-visit.ts";

let world: ReturnType<typeof pageWorld>;
beforeEach(async () => {
  world = pageWorld();
  await world.local.enter(world.access.newEntry());
});

const statusOf = async ({ ticketId }: Ticket) => (await world.tickets.find(ticketId))?.status;
const open = (operation: OperationKind = "adds", principal = "alice") =>
  world.open({ principal, effect: { ...effect("Create", { title: "Tea" }), operation } });
const openMany = (count: number, ...fields: Parameters<typeof open>) =>
  Promise.all(Array.from({ length: count }, () => open(...fields)));

/** Returns the value of each box on the page, by its request. */
async function boxes(): Promise<Map<string, string>> {
  const values = (await world.local.list()).matchAll(/name="ticked"\s+value="([^"]+)"/g);
  return new Map(Array.from(values, ([, value = ""]) => [value.split(" ")[0] ?? "", value]));
}

/** Returns the fields that the browser sends, one for each ticked box. */
async function send(ticked: readonly string[], verdict: string, headers?: Record<string, string>) {
  const fields = [...ticked.map((value) => ["ticked", value]), ["verdict", verdict]];
  return await world.local.postAll(`${world.local.base()}/selection`, fields, headers);
}

async function decide(tickets: readonly Ticket[], verdict: string): Promise<string> {
  const proofs = await boxes();
  const response = await send(
    tickets.map(({ ticketId }) => proofs.get(ticketId) ?? ""),
    verdict,
  );
  expect(response.status).toBe(303);
  return await (await world.local.get(response.headers.get("location")!)).text();
}

describe("more than five open requests", () => {
  it("have an unticked box each, and removals have their own buttons [fatigue.selection]", async () => {
    const adding = await openMany(5);
    expect((await boxes()).size).toBe(0);
    const removing = await open("removes");
    const html = await world.local.list();
    expect([...(await boxes()).keys()]).toEqual(adding.map(({ ticketId }) => ticketId));
    expect(html).not.toMatch(/<input[^>]*\bchecked/);
    const cardOf = ({ ticketId }: Ticket) => html.split(`id="${ticketId}"`)[1]?.split("</li>")[0];
    expect(cardOf(removing)).toContain('value="approve"');
    expect(cardOf(adding[0]!)).not.toContain("<button");
    expect(cardOf(adding[0]!)).toContain("Tea");
  });

  it("are decided as ticked, each on record, the others not [fatigue.selection]", async () => {
    const all = await openMany(6);
    const html = await decide(all.slice(0, 3), "approve");
    expect(html.match(/Approved\. It runs now/g)?.length).toBeGreaterThanOrEqual(3);
    expect(await Promise.all(all.map(statusOf))).toEqual([
      "approved",
      "approved",
      "approved",
      "pending",
      "pending",
      "pending",
    ]);
    expect(world.audit.events.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 3 }, () => "approve (page, maria)"),
    );
  });

  it("are denied together, which pauses after the third [fatigue.pause]", async () => {
    const all = await openMany(6);
    const html = await decide(all.slice(0, 4), "deny");
    expect(await Promise.all(all.slice(0, 4).map(statusOf))).toEqual(
      Array.from({ length: 4 }, () => "denied"),
    );
    expect(html).toContain("3 requests were denied within 10 minutes");
    expect(await world.tickets.pauses()).toHaveLength(1);
  });

  it("are reported apart if they were decided elsewhere meanwhile [fatigue.selection]", async () => {
    const all = await openMany(7);
    const proofs = [...(await boxes()).values()];
    const elsewhere = { verdict: "deny", channel: "terminal", by: "max" } as const;
    await world.tickets.decide(all[1]!.ticketId, elsewhere, 60_000);
    const response = await send(proofs.slice(0, 3), "approve");
    expect(response.headers.get("location")).toMatch(/seen=ap_\w+,ap_\w+&late=ap_\w+$/);
    const html = await (await world.local.get(response.headers.get("location")!)).text();
    expect(html).toContain("your decision did not count, because this was already decided");
    expect(await Promise.all(all.slice(0, 4).map(statusOf))).toEqual([
      "approved",
      "denied",
      "approved",
      "pending",
    ]);
    // Sent again it decides nothing more.
    const again = await send(proofs.slice(0, 3), "deny");
    expect(again.headers.get("location")).toMatch(/seen=&late=/);
    expect(await statusOf(all[0]!)).toBe("approved");
  });

  it("that are paused cannot be approved, and the person is notified [fatigue.selection]", async () => {
    const all = await openMany(6);
    const proofs = [...(await boxes()).values()];
    await world.tickets.pause("alice", "max");
    const response = await send(proofs, "approve");
    const html = await (await world.local.get(response.headers.get("location")!)).text();
    expect(html).toContain("because this cannot be approved now");
    expect(await statusOf(all[0]!)).toBe("pending");
  });

  it("without a tick stay unchanged", async () => {
    await openMany(6);
    const response = await send([], "approve");
    const html = await (await world.local.get(response.headers.get("location")!)).text();
    expect(html).toContain("No request was selected. Nothing was decided.");
  });
});

describe("a forged review decides nothing", () => {
  let all: Ticket[];
  let proofs: string[];
  beforeEach(async () => {
    all = await openMany(6);
    proofs = [...(await boxes()).values()];
  });
  const expectNothing = async (response: Response): Promise<void> => {
    expect(response.status).toBe(403);
    expect(await Promise.all(all.map(statusOf))).toEqual(all.map(() => "pending"));
    expect(world.audit.events).toEqual([]);
  };

  it.each([
    ["another request's proof", () => `${all[1]!.ticketId} ${proofs[0]!.split(" ")[1]}`],
    ["no proof", () => all[1]!.ticketId],
    ["a request that there is not", () => `ap_none ${proofs[0]!.split(" ")[1]}`],
    ["an empty box", () => ""],
  ])("with %s among valid boxes [fatigue.selection]", async (_, forged) => {
    await expectNothing(await send([proofs[0]!, forged()], "approve"));
  });

  it("with a removal, even with the proof of its own form [fatigue.selection]", async () => {
    const removing = await open("removes");
    const { nonce } = await world.local.form(removing.ticketId);
    await expectNothing(await send([proofs[0]!, `${removing.ticketId} ${nonce}`], "approve"));
    expect(await statusOf(removing)).toBe("pending");
  });

  it("from another site, with another verdict, or by a GET", async () => {
    await expectNothing(await send(proofs, "approve", { origin: "https://evil.example" }));
    await expectNothing(await send(proofs, "similar"));
    const query = new URLSearchParams({ ticked: proofs[0]!, verdict: "approve" }).toString();
    expect((await world.local.get(`${world.local.base()}/selection?${query}`)).status).toBe(404);
  });

  it("by an approver who may not decide them", async () => {
    await world.published.signIn(secrets.bob);
    const fields = [...proofs.map((value) => ["ticked", value]), ["verdict", "approve"]];
    await expectNothing(await world.published.postAll("/approvals/selection", fields));
  });
});

describe("the maximum of waiting requests", () => {
  it("is shown to the person, and all of them have a box [fatigue.waiting]", async () => {
    const all = await openMany(fatigue.waitingAtMost);
    await open("adds", "bob");
    const html = await world.local.list();
    expect(html).toContain("20 requests of <bdi>alice</bdi> are waiting");
    expect(html).not.toContain("requests of <bdi>bob</bdi>");
    await decide(all, "approve");
    expect(await Promise.all(all.map(statusOf))).toEqual(all.map(() => "approved"));
  });
});
