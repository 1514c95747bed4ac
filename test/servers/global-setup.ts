import type { TestProject } from "vitest/node";
import { ensureBuild } from "./build.ts";
import { installCommand, missingServers } from "./servers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Names of the servers that tests must do without. */
    missingServers: string[];
  }
}

/** Before the tests of a project that may start the built server or a real one. */
export default function setup(project: TestProject): (() => void) | undefined {
  ensureBuild();
  const missing = missingServers();
  project.provide(
    "missingServers",
    missing.map(({ name }) => name),
  );
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(", ");
  const notice = `NOT RUN (${project.name}): tests that need ${names}. Install with:\n  ${installCommand(missing)}`;
  if (process.env["REQUIRE_SERVERS"] === "1") throw new Error(notice);
  console.warn(`\n${notice}\n`);
  // Said again at the end, where it is read.
  return () => console.warn(`\n${notice}\n`);
}
