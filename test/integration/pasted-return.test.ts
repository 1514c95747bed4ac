import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { listenForReturn } from "../../src/app/upstream/return-address.ts";

// On a machine without a browser, no sign-in was possible.
it("a sign-in ends with the address that a person pastes, if it has the expected state", async (t) => {
  const said: string[] = [];
  const back = await listenForReturn();
  const input = new PassThrough();
  const stop = back.readPasted(input, (text) => void said.push(text));
  t.onTestFinished(() => {
    stop();
    back.close();
  });
  const parameters = back.parameters("expected");
  const refused = [
    "no address",
    `${back.redirectUrl}?code=c&state=other`,
    "http://127.0.0.1/?state=expected",
  ];
  for (const line of refused) input.write(`${line}\n`);
  input.write(`\n  ${back.redirectUrl}?code=c&state=expected  \n`);
  expect((await parameters).get("code")).toBe("c");
  expect(said).toEqual(
    refused.map(() => "The browser was not redirected to this address. Nothing was stored."),
  );
  const late = await fetch(`${back.redirectUrl}?code=d&state=expected`);
  expect(late.status).toBe(400);
  input.end();
  await once(input, "end");
});
