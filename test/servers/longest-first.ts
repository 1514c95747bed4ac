import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, the longest first. Vitest begins with the largest files if it has never seen them run,
 * and these are small. A run then ended with one worker in the longest file and the others idle.
 */
export const longest = [
  "timing/mail-memory.test.ts",
  "timing/format-growth.test.ts",
  "timing/search-turns.test.ts",
  "timing/calendar-work.test.ts",
  "timing/flow-growth.test.ts",
  "timing/time-fuzz.test.ts",
  "integration/mail-kills.test.ts",
  "integration/mail-trouble.test.ts",
  "protocol/matrix.test.ts",
  "protocol/backup.test.ts",
  "protocol/upstream-hostile.test.ts",
  "integration/mail-hostile.test.ts",
  "integration/mail-trust.test.ts",
  "integration/mail-imap.test.ts",
  "integration/mail-summaries.test.ts",
  "protocol/attack.test.ts",
  "protocol/telegram-changes.test.ts",
  "protocol/demo.test.ts",
  "integration/mail-relay.test.ts",
  "protocol/mail-corpus.test.ts",
  "integration/approval-page.test.ts",
  "integration/mail-search-filters.test.ts",
  "protocol/passkeys.test.ts",
  "integration/mail-result-sizes.test.ts",
  "protocol/copy.test.ts",
  "protocol/remove.test.ts",
  "integration/libsql-concurrency.test.ts",
  "protocol/upstream-conformance.test.ts",
  "integration/mail-parser.test.ts",
  "protocol/upstream-page.test.ts",
  "protocol/undo.test.ts",
  "protocol/hidden-codes.test.ts",
  "protocol/upstream-http.test.ts",
  "protocol/upstream-eras.test.ts",
  "integration/mcpb.test.ts",
  "protocol/upstream-changed.test.ts",
  "protocol/telegram-mail.test.ts",
  "integration/libsql-server.test.ts",
  "protocol/telegram-faults.test.ts",
  "integration/sign-in-code-corpora.test.ts",
  "integration/mail-large.test.ts",
  "contract/objects.test.ts",
  "protocol/audit-requests.test.ts",
  "integration/mail-bucket.test.ts",
  "protocol/oauth-browser.test.ts",
  "protocol/mail-fetching.test.ts",
  "integration/s3-dying.test.ts",
  "integration/check-dependencies.test.ts",
  "protocol/doctor-http.test.ts",
  "protocol/upstream-http-odd.test.ts",
  "integration/approval-page-for-everybody.test.ts",
  "protocol/oauth-kills.test.ts",
  "protocol/upstream.test.ts",
  "protocol/telegram.test.ts",
  "protocol/init.test.ts",
  "protocol/remote-database.test.ts",
  "protocol/audit.test.ts",
  "protocol/conformance.test.ts",
  "protocol/terminal.test.ts",
  "protocol/http-shares.test.ts",
];

/** Starts the longest files of each project first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ranked = sorted.toSorted((a, b) => rank(a) - rank(b));
    // A worker is of one project. The short unit tests come last, so that no worker waits long for another.
    const projects = [...new Set(ranked.map(({ project }) => project))];
    return ranked.toSorted((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project));
  }
}

/** Returns the place in the list. Files that are not in it come last. */
function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((file) => moduleId.endsWith(`/test/${file}`));
  return at === -1 ? longest.length : at;
}
