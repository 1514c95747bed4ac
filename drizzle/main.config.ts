import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate --config drizzle/main.config.ts`: everything but the embedded objects. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/adapters/libsql/schema/{core,mail,calendar,files,chat,oauth,flow}.ts",
  out: "./drizzle/main",
});
