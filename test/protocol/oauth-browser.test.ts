import { describe, expect, it } from "vitest";
import { worstContrast } from "../servers/contrast.ts";
import { secrets } from "./oauth-host.ts";
import { startWithDevice } from "./passkey-browser.ts";

describe("the consent page in Chromium", () => {
  // Chromium stopped at the first redirect that `form-action` did not name: claude.ai sends the browser on to its app
  // (PrefectHQ/fastmcp #3369). The click did nothing, and the code was lost.
  it.for(["Allow", "Refuse"])(
    "leads back to a host that sends the browser on, after %s",
    async (button, t) => {
      const { page, errors, callback, programAsks } = await startWithDevice(t);
      const hosted = new URL("/hosted", callback).href;
      const visited: string[] = [];
      page.on("request", (request) => {
        if (request.isNavigationRequest()) visited.push(request.url());
      });
      const response = await page.goto(await programAsks(hosted));
      expect(response?.headers()["content-security-policy"]).toContain("form-action 'self'");
      if (button === "Allow") await page.getByLabel("Your secret").fill(secrets.alice);
      await page.getByRole("button", { name: button, exact: true }).click();
      await page.waitForURL("http://localhost:*/app");
      const answer = new URL(visited.find((url) => url.startsWith(hosted)) ?? "");
      expect(answer.searchParams.has("code")).toBe(button === "Allow");
      expect(answer.searchParams.get("state")).toBe("state-1");
      expect(errors.filter((each) => each.includes("Content Security Policy"))).toEqual([]);
    },
  );

  it.for(["light", "dark"] as const)(
    "is legible in the %s and fits a phone, as the pages around it",
    async (colorScheme, t) => {
      const { page, approvals, programAsks, signInWithSecret, addPasskey } =
        await startWithDevice(t);
      await page.emulateMedia({ colorScheme });
      const mustBeLegible = async (): Promise<void> => {
        expect(await worstContrast(page)).toBeGreaterThanOrEqual(4.5);
        const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
        expect(await page.evaluate(isTooWide)).toBe(false);
      };
      const asks = await programAsks();
      await page.goto(asks);
      await mustBeLegible();
      await page.getByLabel("Your secret").fill("not-the-secret-of-anyone");
      await page.getByRole("button", { name: "Allow", exact: true }).click();
      await page.getByText("This is not an approver's secret.").waitFor();
      await mustBeLegible();
      await page.goto(asks.replace(/client_id=[^&]+/, "client_id=unknown"));
      await page.getByText("The sign-in failed").waitFor();
      await mustBeLegible();
      await page.goto(approvals);
      await mustBeLegible();
      await signInWithSecret(secrets.alice);
      await addPasskey("Phone", secrets.alice);
      await page.getByRole("heading", { name: "Phone" }).waitFor();
      await mustBeLegible();
      await page.goto(asks);
      await page.getByRole("button", { name: "Allow with a passkey" }).waitFor();
      await mustBeLegible();
    },
  );
});
