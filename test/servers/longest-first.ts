import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, the longest first. Vitest begins with the largest files if it has never seen them run,
 * and these are small. A run then ended with one worker in the longest file and the others idle.
 */
export const longest = [
  "timing/mail-memory.test.ts",
  "timing/format-growth.test.ts",
  "timing/search-turns.test.ts",
  "integration/mail-kills.test.ts",
  "integration/mail-trouble.test.ts",
  "integration/sign-in-code-corpora.test.ts",
  "integration/mail-hostile.test.ts",
  "integration/mail-parser.test.ts",
  "integration/mail-imap.test.ts",
  "integration/approval-page.test.ts",
  "integration/installed-package.test.ts",
  "integration/flow-long-texts.test.ts",
  "integration/mail-trust.test.ts",
  "integration/mail-summaries.test.ts",
  "integration/mail-relay.test.ts",
  "integration/mail-bucket.test.ts",
  "integration/calendar-expander.test.ts",
  "integration/mail-load.test.ts",
  "integration/check-dependencies.test.ts",
  "integration/libsql-concurrency.test.ts",
  "integration/mcpb.test.ts",
  "protocol/attack.test.ts",
  "protocol/backup.test.ts",
  "protocol/matrix.test.ts",
  "protocol/upstream-hostile.test.ts",
  "protocol/mail-corpus.test.ts",
  "protocol/upstream-conformance.test.ts",
  "protocol/demo.test.ts",
  "protocol/telegram-changes.test.ts",
  "protocol/undo.test.ts",
  "protocol/copy.test.ts",
  "protocol/remove.test.ts",
  "protocol/upstream-page.test.ts",
  "protocol/audit-requests.test.ts",
  "protocol/hidden-codes.test.ts",
  "protocol/chat.test.ts",
  "protocol/init.test.ts",
  "protocol/upstream-eras.test.ts",
  "protocol/remote-database.test.ts",
  "protocol/oauth-kills.test.ts",
  "protocol/conformance.test.ts",
  "protocol/progress.test.ts",
  "protocol/reminder-kills.test.ts",
];

/** Starts the longest files of each project first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return sorted.toSorted(
      (a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || rank(a) - rank(b),
    );
  }
}

/** Returns the place in the list. Files that are not in it come last. */
function rank({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((file) => moduleId.endsWith(`/test/${file}`));
  return at === -1 ? longest.length : at;
}
