import { request } from "node:http";
import { describe, expect, inject, it } from "vitest";
import { secrets } from "./oauth-host.ts";
import { passkeyRows, startWithDevice } from "./passkey-browser.ts";
import { runHere, runProgram } from "./program.ts";

type World = Awaited<ReturnType<typeof startWithDevice>>;

async function withPasskey(world: World) {
  await world.signInWithSecret(secrets.alice);
  await world.addPasskey("Phone", secrets.alice);
  await world.page.getByRole("heading", { name: "Phone" }).waitFor();
  await world.signOut();
}

const noPasskeyButton = ({ page }: World) =>
  expect.poll(() => page.getByRole("button", { name: /passkey/ }).count()).toBe(0);

/** Posts a form to the sign-in directly, as an attacker who copied a response. */
async function postSignIn({ own, origin }: World, passkey: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const headers = {
      host: new URL(origin).host,
      origin,
      "content-type": "application/x-www-form-urlencoded",
    };
    const sent = request(`${own}/approvals/sign-in`, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject).end(new URLSearchParams({ passkey }).toString());
  });
}

describe.skipIf(inject("missingServers").includes("chromium"))("a passkey", () => {
  it("is added with the secret, signs in, and is removed on the page", async (t) => {
    const world = await startWithDevice(t);
    const { page, home, errors } = world;
    await page.goto(world.approvals);
    await noPasskeyButton(world);
    await withPasskey(world);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("You decide as").waitFor();
    expect(await page.getByText("You decide as").textContent()).toContain("alice");
    await page.getByRole("link", { name: "Access" }).click();
    await page.getByRole("button", { name: "Remove Phone" }).click();
    // The passkey had opened this session.
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await passkeyRows(home)).toBe(0);
    expect(errors).toEqual([]);
    const events = await home.sql(
      "SELECT principal, sentence FROM audit WHERE tool = 'oauth' ORDER BY seq",
    );
    expect(events).toMatchObject([
      { principal: "alice", sentence: 'added the passkey "Phone"' },
      { principal: "alice", sentence: 'removed the passkey "Phone"' },
    ]);
  });

  it("lets a program in, and an answer for one program is no answer for another", async (t) => {
    const world = await startWithDevice(t);
    const { page, posted } = world;
    await withPasskey(world);
    const response = await page.goto(await world.programAsks());
    expect(response?.headers()["content-security-policy"]).toContain("script-src 'self';");
    await page.getByRole("button", { name: "Allow with a passkey" }).click();
    await page.waitForURL(`${world.callback}*`);
    expect(new URL(page.url()).searchParams.get("code")).not.toBeNull();
    expect((await world.home.sql("SELECT 1 FROM oauth_records WHERE model = 'Grant'")).length).toBe(
      1,
    );
    const used = posted.findLast(({ path }) => path.startsWith("/oauth/consent/"))?.form;
    expect(used?.get("secret")).toBe("");
    await page.goto(await world.programAsks());
    // The page of another program, with the answer that let the first one in.
    await page.locator("input[name=passkey]").evaluate(
      (field, answer) => {
        (field as HTMLInputElement).value = answer;
      },
      used?.get("passkey") ?? "",
    );
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByText("The passkey was not accepted. Nothing was granted.").waitFor();
    expect(await postSignIn(world, used?.get("passkey") ?? "")).toBe(403);
    const kinds = await world.home.sql("SELECT outcome FROM audit WHERE tool = 'oauth'");
    expect(kinds.map(({ outcome }) => outcome)).toContain("wrong secret");
  });

  it("is accepted once for each question, and not after its removal at the terminal", async (t) => {
    const world = await startWithDevice(t);
    const { page, home, posted } = world;
    await withPasskey(world);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("You decide as").waitFor();
    const answer = posted.findLast(({ path }) => path.endsWith("/sign-in"))?.form.get("passkey");
    expect(await postSignIn(world, answer ?? "")).toBe(403);
    const { stdout } = await runProgram(home, ["passkeys", "list", "--json"]);
    const listed = JSON.parse(stdout) as { passkeyId: string; usedAt: string };
    expect(listed).toMatchObject({ approver: "alice", name: "Phone" });
    expect(Date.parse(listed.usedAt)).toBeGreaterThan(0);
    expect((await runHere(home, ["passkeys", "remove", "unknown"])).code).not.toBe(0);
    expect((await runHere(home, ["passkeys", "remove", listed.passkeyId])).code).toBe(0);
    expect((await runHere(home, ["passkeys", "list"])).stdout).toBe("No approver has a passkey.\n");
    await noPasskeyButton(world);
  });

  // A stolen phone could approve calls for twelve hours after the removal of its passkey.
  it("ends its sessions when it is removed, and no others", async (t) => {
    const world = await startWithDevice(t);
    const { page, home } = world;
    await withPasskey(world);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: /Pause/ }).waitFor();
    const { stdout } = await runProgram(home, ["passkeys", "list", "--json"]);
    const { passkeyId } = JSON.parse(stdout) as { passkeyId: string };
    expect((await runHere(home, ["passkeys", "remove", passkeyId])).code).toBe(0);
    await page.getByRole("button", { name: /Pause/ }).click();
    await page.getByText("Your session has ended. Nothing was done.").waitFor();
    await page.goto(world.approvals);
    await page.getByLabel("Your secret").waitFor();
    await world.signInWithSecret(secrets.alice);
    await page.reload();
    await page.getByText("You decide as").waitFor();
  });

  it("needs the person at the device, and the secret to be added", async (t) => {
    const world = await startWithDevice(t);
    const { page, home, device } = world;
    await world.signInWithSecret(secrets.alice);
    await world.addPasskey("Phone", "not-my-secret-1234567");
    await page.getByText("This is not your secret. No passkey was added.").waitFor();
    await world.addPasskey("Phone", secrets.bob);
    await page.getByText("This is not your secret. No passkey was added.").waitFor();
    expect(await passkeyRows(home)).toBe(0);
    await world.signOut();
    await withPasskey(world);
    await device.verify(false);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("No passkey was used.").waitFor();
  });

  it("shares the limit of guesses with the secret", async (t) => {
    const world = await startWithDevice(t);
    await withPasskey(world);
    const statuses: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      statuses.push(await postSignIn(world, JSON.stringify({ id: "AAAA", response: {} })));
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
  });
});
