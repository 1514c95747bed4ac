import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate --config drizzle/objects.config.ts`: the embedded object store, a file of its own. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/adapters/libsql/schema/objects.ts",
  out: "./drizzle/objects",
});
