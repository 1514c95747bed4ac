import { expect, it } from "vitest";
import { chunksOfStarts } from "../../src/app/build/chunks.ts";

const imports: Record<string, readonly string[]> = {
  "/src/main.ts": ["/src/options.ts"],
  "/src/options.ts": [],
  "/src/serve.ts": ["/src/options.ts", "/src/schemas.ts", "/src/text.ts"],
  "/src/schemas.ts": ["/node_modules/zod/index.js", "/src/text.ts"],
  "/src/text.ts": [],
  "/src/call.ts": ["/src/schemas.ts", "/src/store.ts"],
  "/src/store.ts": ["/node_modules/@scope/driver/index.js"],
  "/src/doctor.ts": ["/src/text.ts"],
};

it("modules of a start share a chunk if they need the same packages", () => {
  const { groups } = chunksOfStarts("/src", [["main"], ["serve"], ["call"]]);
  const modules = {
    getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }),
  };
  const chunks = Object.keys(imports).map((id) => {
    const name = groups?.[0]?.name;
    if (typeof name !== "function") throw new Error("the group has no function");
    return [id, name(id, modules as never)];
  });
  expect(Object.fromEntries(chunks)).toEqual({
    "/src/main.ts": null,
    "/src/options.ts": "main",
    "/src/serve.ts": "serve-zod",
    "/src/schemas.ts": "serve-zod",
    "/src/text.ts": "serve",
    "/src/call.ts": "call-driver-zod",
    "/src/store.ts": "call-driver",
    "/src/doctor.ts": null,
  });
});
