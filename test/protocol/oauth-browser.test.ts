import { describe, expect, it } from "vitest";
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
});
