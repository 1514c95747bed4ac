import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type CalendarServers, startCalendarServers } from "./calendar-servers.ts";
import { openS3 } from "./s3.ts";
import { missingServers, noticeOf } from "./servers.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Names of the servers that tests must do without. */
    missingServers: string[];
    calendarServers: CalendarServers;
    /** The address of the S3 server. Empty if there is none. */
    s3Url: string;
    /** A directory for homes that tests copy. */
    templates: string;
  }
}

/** Tells a project's tests which real servers are here, and the person which are not. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = missingServers();
  // Runs before any server is started: if no server may be missing, this ends the run, and no started server would be
  // stopped.
  const isRequired = process.env["REQUIRE_SERVERS"] === "1";
  const notice = noticeOf(project.name, missing, isRequired);
  project.provide(
    "missingServers",
    missing.map(({ name }) => name),
  );
  const calendars = await startCalendarServers(missing.map(({ name }) => name));
  project.provide("calendarServers", calendars.servers);
  const s3 = await openS3();
  project.provide("s3Url", s3.url);
  const templates = mkdtempSync(join(tmpdir(), "countersign-templates-"));
  project.provide("templates", templates);
  const stop = async (): Promise<void> => {
    await Promise.all([calendars.stop(), s3.close()]);
    rmSync(templates, { recursive: true, force: true });
  };
  if (notice === undefined) return stop;
  console.warn(`\n${notice}\n`);
  // Printed again at the end, where people read.
  return async () => {
    await stop();
    console.warn(`\n${notice}\n`);
  };
}
