import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suiteFinished } from "../fakes/suite-finished.ts";

// Vitest silently ignored an `afterAll` of a hook, so a server was never stopped.
describe("suiteFinished", () => {
  const order: string[] = [];
  afterAll(() => expect(order).toEqual(["later", "earlier"]));
  const later = suiteFinished();
  beforeAll(() => expect(() => suiteFinished()).toThrow("in a hook or a test"));

  it("fails in a test and in a hook", () => {
    expect(() => suiteFinished()).toThrow("Call it in the body of `describe`");
  });

  it("runs the functions in reverse order", () => {
    later(() => order.push("earlier"));
    later(() => order.push("later"));
    expect(order).toEqual([]);
  });
});
