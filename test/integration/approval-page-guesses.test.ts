import { describe, expect, it } from "vitest";
import { pageWorld, secrets } from "../fakes/page-visit.ts";

describe("approvers who sign in", () => {
  it("can sign in from a new network while thousands guess [http.guessing]", async () => {
    const world = pageWorld();
    const heard: string[] = [];
    for (let index = 0; index < 3_000; index += 1) {
      const stranger = world.anybody(`10.${index % 10}.${Math.floor(index / 10)}.1`);
      const { status } = await stranger.signIn("wrong");
      if (status === 403) heard.push(String(index));
    }
    expect(heard.length).toBeLessThan(150);
    expect((await world.anybody("203.0.113.7").signIn(secrets.alice)).status).toBe(303);
  });
});
