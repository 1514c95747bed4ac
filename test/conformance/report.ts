import type { Revision, ScenarioResult } from "./run-suite.ts";

/**
 * Scenarios that do not apply to the product, by the beginning of their names. Some of them pass because they expect a
 * refusal, which is not counted.
 */
const notForTheProduct: readonly (readonly [beginning: string, why: string])[] = [
  ["tools-call-", "call tools of the fixture by name"],
  ["json-schema-", "call tools of the fixture by name"],
  ["http-custom-header-", "call tools of the fixture by name"],
  ["elicitation-", "call tools of the fixture by name"],
  ["server-sse-polling", "call tools of the fixture by name"],
  ["input-required-result-unsupported-methods", ""],
  ["input-required-result-", "call tools of the fixture by name"],
  ["resources-list", ""],
  ["resources-", "read resources of the fixture by name"],
  ["prompts-list", ""],
  ["prompts-", "get prompts of the fixture by name"],
  ["completion-", "the product has nothing to complete"],
  ["logging-", "the product logs to stderr and not to the client"],
  ["tasks-", "an extension that neither serves"],
];

/** Checks of otherwise applicable scenarios that need a tool of the fixture. */
const needsFixtureTool = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
]);

function whyNot(scenario: string): string | undefined {
  return notForTheProduct.find(([beginning]) => scenario.startsWith(beginning))?.[1] || undefined;
}

/** Returns the findings that contradict the claim that the product passes all scenarios that apply to it. */
export function productFailures(results: readonly ScenarioResult[]): string[] {
  return results
    .filter(({ scenario }) => whyNot(scenario) === undefined)
    .flatMap(({ scenario, failed }) =>
      failed.filter((id) => !needsFixtureTool.has(id)).map((id) => `${scenario}: ${id}`),
    );
}

export interface Run {
  revision: Revision;
  fixture: readonly ScenarioResult[];
  product: readonly ScenarioResult[];
}

/** Formats the tables of docs/protocol.md. */
export function conformanceTables(runs: readonly Run[]): string {
  return [
    "| revision | HTTP serving layer with the suite's fixture | `countersign serve --http`, what applies |",
    "|---|---|---|",
    ...runs.map(({ revision, fixture, product }) => {
      const scored = fixture.filter((result) => result.scored);
      const pass = scored.filter(({ failed }) => failed.length === 0);
      const own = product.filter(({ scenario }) => whyNot(scenario) === undefined);
      return `| ${revision} | ${pass.length} of ${scored.length} required scenarios pass | ${own.map(formatResult).join(", ")} |`;
    }),
    "",
    "| does not apply to the product | why |",
    "|---|---|",
    ...[...reasons(runs)].map(
      ([why, names]) =>
        `| ${[...names]
          .toSorted()
          .map((name) => `\`${name}\``)
          .join(", ")} | ${why} |`,
    ),
  ].join("\n");
}

function formatResult({ scenario, passed, failed }: ScenarioResult): string {
  const verdict = failed.every((id) => needsFixtureTool.has(id)) ? "" : " (FAILS)";
  const all = passed + failed.length;
  return failed.length === 0
    ? `\`${scenario}\``
    : `\`${scenario}\`${verdict} (${passed} of ${all} checks; the others call a tool of the fixture)`;
}

function reasons(runs: readonly Run[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const { scenario } of runs.flatMap(({ product }) => product)) {
    const why = whyNot(scenario);
    if (why !== undefined) all.set(why, (all.get(why) ?? new Set()).add(group(scenario)));
  }
  return all;
}

/** Shortens names for a table: `resources-read-text` and others become `resources-*`. */
function group(scenario: string): string {
  const beginning = notForTheProduct.find(([start]) => scenario.startsWith(start))?.[0] ?? scenario;
  return beginning.endsWith("-") ? `${beginning}*` : beginning;
}
