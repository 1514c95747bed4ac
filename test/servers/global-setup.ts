import type { TestProject } from "vitest/node";
import { installCommand, missingServers } from "./servers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Names of the servers that tests must do without. */
    missingServers: string[];
  }
}

/** Tells a project's tests which real servers are here, and the person which are not. */
export default function setup(project: TestProject): (() => void) | undefined {
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
