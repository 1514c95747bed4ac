import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { serveLocally } from "./page-in-browser.ts";

it("a page on this computer opens while another program holds 1 200 idle sockets to it [http.shares]", async () => {
  const { server } = await serveLocally();
  const entry = server.newEntry();
  const idle = Array.from({ length: 1_200 }, () =>
    connect(Number(new URL(entry).port), "127.0.0.1").on("error", () => undefined),
  );
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  const shown = await fetch(entry);
  expect(shown.status).toBe(200);
  expect(await shown.text()).toContain("Show the requests");
  for (const socket of idle) socket.destroy();
});
