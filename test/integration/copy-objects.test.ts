import { expect, test } from "vitest";
import { copyObjects, digestObjects } from "../../src/stores/copy-objects.ts";
import { createFakeObjects } from "../fakes/objects.ts";

test("objects are copied several at a time, and large ones alone", async () => {
  // One at a time, 20 000 objects of small mail took minutes.
  const [from, to] = [createFakeObjects(), createFakeObjects()];
  const mediaType = "text/plain";
  for (let at = 10; at < 50; at += 1)
    await from.put(`mail/raw/${at}`, Buffer.from(`message ${at}`), { mediaType });
  await from.put("files/large", Buffer.alloc(17 << 20), { mediaType });
  let now = 0;
  const together: number[] = [];
  const result = await copyObjects(from, {
    ...to,
    put: async (key, ...more) => {
      now += 1;
      const most = now;
      const facts = await to.put(key, ...more);
      together.push(key === "files/large" ? -now : most);
      now -= 1;
      return facts;
    },
  });
  expect(result).toMatchObject({ copied: 41, present: 0 });
  expect(together.filter((count) => count < 0)).toEqual([-1]);
  expect(Math.max(...together)).toBe(16);
  expect(await digestObjects(to)).toEqual(await digestObjects(from));
  expect(await copyObjects(from, to)).toMatchObject({ copied: 0, present: 41 });
});

test("a part of a message is put with its message, which is there first", async () => {
  const [from, to] = [createFakeObjects(), createFakeObjects()];
  const mediaType = "text/plain";
  for (const key of ["mail/attachment/a", "mail/raw/m", "mail/text/t", "files/x"])
    await from.put(key, Buffer.from(key), { mediaType });
  const put: [string, string | undefined][] = [];
  const messages = new Map([
    ["mail/attachment/a", "mail/raw/m"],
    ["mail/text/t", "mail/raw/m"],
  ]);
  await copyObjects(
    from,
    {
      ...to,
      put: async (key, body, options) => {
        const { within } = options;
        put.push([key, within && `${within.key}: ${Buffer.from(within.body).toString()}`]);
        return await to.put(key, body, options);
      },
    },
    { messages },
  );
  expect(put[0]).toEqual(["mail/raw/m", undefined]);
  expect(new Map(put)).toEqual(
    new Map([
      ["mail/raw/m", undefined],
      ["mail/attachment/a", "mail/raw/m: mail/raw/m"],
      ["mail/text/t", "mail/raw/m: mail/raw/m"],
      ["files/x", undefined],
    ]),
  );
  expect(await digestObjects(to)).toEqual(await digestObjects(from));
});
