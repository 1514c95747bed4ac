import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, in the order of their start. Files that wait and files that compute take turns, so that
 * the workers together need all processors: with the longest first, all of them waited at the same time. The order was
 * found by simulation from the time and processor time of each file in a whole run.
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
  "protocol/attack.test.ts",
  "protocol/copy.test.ts",
  "integration/mail-hostile.test.ts",
  "integration/mail-trust.test.ts",
  "protocol/upstream-hostile.test.ts",
  "integration/mail-result-sizes.test.ts",
  "integration/sign-in-code-corpora.test.ts",
  "integration/mail-imap.test.ts",
  "integration/mail-summaries.test.ts",
  "integration/mail-search-filters.test.ts",
  "integration/mail-parser.test.ts",
  "protocol/mail-corpus.test.ts",
  "protocol/remove.test.ts",
  "integration/libsql-concurrency.test.ts",
  "integration/mail-relay.test.ts",
  "protocol/demo.test.ts",
  "protocol/telegram-changes.test.ts",
  "integration/flow-long-texts.test.ts",
  "integration/mcpb.test.ts",
  "protocol/upstream-page.test.ts",
  "protocol/hidden-codes.test.ts",
  "integration/mail-large.test.ts",
  "integration/approval-page.test.ts",
  "protocol/conformance.test.ts",
  "integration/s3-store.test.ts",
  "protocol/remote-database.test.ts",
  "protocol/upstream-conformance.test.ts",
  "protocol/upstream-http.test.ts",
  "protocol/audit-requests.test.ts",
  "protocol/audit.test.ts",
  "protocol/terminal.test.ts",
  "protocol/upstream-preview.test.ts",
  "protocol/upstream-eras.test.ts",
  "integration/calendar-expander.test.ts",
  "protocol/chat-terminal.test.ts",
  "protocol/upstream-changed.test.ts",
  "protocol/passkeys.test.ts",
  "integration/mail-load.test.ts",
  "integration/mail-bucket.test.ts",
  "protocol/telegram-faults.test.ts",
  "protocol/doctor-http.test.ts",
  "protocol/reminder-kills.test.ts",
  "protocol/oauth-browser.test.ts",
  "protocol/telegram-mail.test.ts",
  "protocol/policy.test.ts",
  "protocol/undo.test.ts",
  "integration/race.test.ts",
  "integration/mail-search-fuzz.test.ts",
  "protocol/chat.test.ts",
  "integration/s3-dying.test.ts",
  "integration/libsql-server.test.ts",
  "integration/check-dependencies.test.ts",
  "integration/mail-import.test.ts",
  "integration/docs-site.test.ts",
  "protocol/stderr.test.ts",
  "protocol/mail-fetching.test.ts",
  "protocol/search-untrusted-mail.test.ts",
  "protocol/telegram.test.ts",
  "protocol/http-shares.test.ts",
  "protocol/setting-effects-outside.test.ts",
  "protocol/oauth-kills.test.ts",
  "protocol/init.test.ts",
  "protocol/upstream-import.test.ts",
  "protocol/upstream.test.ts",
  "integration/mail-admin.test.ts",
  "integration/installed-package.test.ts",
  "protocol/flow-processes.test.ts",
  "protocol/upstream-search.test.ts",
  "integration/libsql-locked.test.ts",
  "protocol/upstream-login.test.ts",
  "protocol/policy-reload.test.ts",
  "integration/approval-page-for-everybody.test.ts",
  "protocol/upstream-odd.test.ts",
  "integration/mail-authenticator.test.ts",
  "protocol/oauth-documents.test.ts",
  "integration/mail-smtp-hostile.test.ts",
];

/** Starts the longest files of each project first. Vitest would begin with the largest files, and these are short. */
export default class MixedOrder extends BaseSequencer {
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
