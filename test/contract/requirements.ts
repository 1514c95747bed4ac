import type { Requirement } from "./requirement.ts";
import { budgetRequirements } from "./requirements-budgets.ts";
import { policyRequirements } from "./policy-requirements.ts";
import { recordRequirements } from "./record-requirements.ts";
import { channelRequirements } from "./requirements-channels.ts";

import { assistantRequirements } from "./assistant-requirements.ts";
import { mailRequirements } from "./mail-requirements.ts";

/**
 * The requirements that the code meets today. A new feature adds its requirements here, with the tests that cite them.
 */
export const requirements: readonly Requirement[] = [
  // The catalog
  { id: "catalog.fields", sentence: "Names, risks and fields of the fourteen tools are fixed." },
  {
    id: "catalog.rules",
    sentence: "Every tool describes and limits each field. Inputs are strict objects.",
  },
  {
    id: "catalog.annotations",
    sentence: "Annotations derive from risk, effect, reach and idempotence.",
  },
  { id: "catalog.snapshot", sentence: "The list of tools changes only on purpose." },
  { id: "catalog.tokens", sentence: "A tool costs 180 tokens on average, the whole list 2 500." },
  {
    id: "catalog.registry",
    sentence: "The build writes the catalog as data, and the server reads it unchanged.",
  },
  { id: "catalog.slow", sentence: "A retrieval that takes over 2 s is logged with its time." },
  {
    id: "catalog.export",
    sentence: "Each export is what its provider publishes, and parses back.",
  },
  { id: "catalog.ai-sdk", sentence: "The AI SDK calls the tools through the same call pipeline." },
  { id: "catalog.command", sentence: "`catalog parse` plans calls and runs nothing." },
  {
    id: "docs.instructions",
    sentence: "The instructions have the rule on approvals first, and name what is missing.",
  },
  { id: "docs.resources", sentence: "Each tool's full page is a resource in both eras." },
  { id: "docs.list-changed", sentence: "A client is notified when the list of tools changes." },
  {
    id: "input.strict",
    sentence: "An argument that cannot be read is refused with its field's name.",
  },
  { id: "cursor.bound", sentence: "A cursor is opaque and belongs to its query." },
  { id: "pages.whole", sentence: "Pages end on a character and make up the stored bytes." },
  { id: "pages.tokens", sentence: "A result has fewer than 25 000 tokens, and says what is left." },
  {
    id: "results.links",
    sentence: "A larger binary is described with a link, and returned in pages on request.",
  },
  {
    id: "results.every-form",
    sentence:
      "Text alone, structured content alone and both give a model the report, the notices and untrusted text in fences.",
  },
  {
    id: "results.known-hosts",
    sentence: "A known client gets the text alone, and a tool list without output schemas.",
  },
  { id: "results.error-once", sentence: "An error's sentences are in its text alone." },
  { id: "stderr.own", sentence: "No line of Node or of a library reaches stderr." },
  {
    id: "results.markers",
    sentence: "Untrusted text is between markers with a random id.",
  },

  ...budgetRequirements,

  // Risk, decision, effect
  { id: "risk.low-runs", sentence: "Low-risk calls run immediately." },
  { id: "risk.medium-reports", sentence: "Medium-risk calls run and are reported to the user." },
  {
    id: "risk.high-asks",
    sentence: "High-risk calls run only after a person approved exactly that call.",
  },
  { id: "call.order", sentence: "Every call goes through one pipeline, in one order." },
  {
    id: "call.started-durable",
    sentence: "`started` is durable before the effect, or nothing happens.",
  },
  { id: "effect.visible", sentence: "Control, bidi and zero-width characters are made visible." },
  {
    id: "effect.values",
    sentence: "Values are quoted, on one line, cut after 600 characters with a count.",
  },
  {
    id: "effect.headline",
    sentence: "Every channel begins with one sentence that names the effect and the target.",
  },
  { id: "effect.model-sees-no-facts", sentence: "No fact of a target reaches a model." },
  {
    id: "effect.dialog-facts",
    sentence: "A dialog shows only what its client could read at low risk.",
  },
  {
    id: "errors.says-what-not",
    sentence: "An error says what went wrong, what was not done and what may have happened.",
  },

  // Requests for approval
  { id: "tickets.binds", sentence: "A request binds principal, tool, exact arguments and target." },
  { id: "tickets.none-opens", sentence: "A call without an earlier request opens one." },
  {
    id: "tickets.pending-joins",
    sentence: "An identical call joins a pending request and is not counted.",
  },
  { id: "tickets.ttl", sentence: "A request without a decision in time expires." },
  {
    id: "tickets.approved-runs",
    sentence: "An identical call claims and runs an approved request.",
  },
  { id: "tickets.run-within", sentence: "An approval that is not used within 600 s expires." },
  {
    id: "tickets.running-waits",
    sentence: "An identical call waits for a run, and then gets the status `running`.",
  },
  { id: "tickets.lease", sentence: "A run whose lease was not renewed for 15 s is unknown." },
  { id: "tickets.once", sentence: "An approved request runs at most once." },
  {
    id: "tickets.done-once",
    sentence: "The first call after the end gets the undelivered result.",
  },
  {
    id: "tickets.done-then-new",
    sentence: "A later identical call is a new request that says when it was done.",
  },
  {
    id: "tickets.failed-opens",
    sentence: "After a failure the next identical call is a new request.",
  },
  {
    id: "tickets.expired-opens",
    sentence: "After a request expired, the next identical call is a new request.",
  },
  {
    id: "tickets.denied-stands",
    sentence: "A denial applies for 15 minutes, without another question.",
  },
  { id: "tickets.denied-ends", sentence: "After 15 minutes the same may be asked again." },
  {
    id: "tickets.unknown-leads",
    sentence: "An unknown run is never repeated silently. The new request begins with it.",
  },
  {
    id: "tickets.foreign-absent",
    sentence: "Another caller's request looks like one that does not exist.",
  },
  { id: "tickets.config", sentence: "A process with other stores does not run a request." },
  {
    id: "tickets.without-approval",
    sentence: "Data that needs no approval is returned while a request waits.",
  },
  {
    id: "approval.without-dialog",
    sentence: "Without a dialog the call returns with `approval_required`.",
  },

  ...channelRequirements,

  // Files
  { id: "files.keys", sentence: "A key is never a path on a disk." },
  { id: "files.layout", sentence: "The file tools can name nothing outside of `files/`." },
  { id: "files.undo", sentence: "Replacing or deleting first keeps the old object." },
  {
    id: "files.conditional",
    sentence: "A write or delete with another version is a conflict at the store.",
  },

  ...mailRequirements,

  // Audit, stores, settings, commands
  { id: "audit.chain", sentence: "A changed, removed or moved audit event is detected." },
  {
    id: "audit.groups",
    sentence: "Events of low-risk calls are stored within 100 ms and at the stop.",
  },
  {
    id: "store.acknowledged",
    sentence: "Acknowledged data is stored, however many processes write.",
  },
  {
    id: "store.lock",
    sentence: "A process waits for another process's lock without being blocked.",
  },
  {
    id: "store.start-together",
    sentence: "Several processes may start on an empty directory at the same time.",
  },
  { id: "store.newer", sentence: "A newer database is refused by name and not changed." },
  { id: "store.private", sentence: "Stored data is readable for its user alone." },
  {
    id: "settings.sources",
    sentence: "The process environment overrides the data directory's file.",
  },
  { id: "settings.no-working-directory", sentence: "The working directory is never read." },
  {
    id: "settings.whole-sets",
    sentence: "An incomplete set of settings is an error that names the missing one.",
  },
  { id: "settings.all-problems", sentence: "All faults of the settings are reported together." },
  { id: "settings.limits", sentence: "No value switches a limit off." },
  { id: "secrets.silent", sentence: "Secrets never appear in a log or an error." },
  { id: "serve.ends", sentence: "A server ends with its client." },
  {
    id: "demo.complete",
    sentence:
      "`demo` shows mail, tools and approvals without an account, and fails if a step did not happen.",
  },

  // Calendar
  { id: "calendar.one", sentence: "One calendar, found by name, and nothing else of the account." },
  { id: "calendar.hosts", sentence: "Requests and credentials go to allowed hosts only." },
  { id: "calendar.expansion", sentence: "We expand recurring events, within limits." },
  { id: "calendar.patch", sentence: "An update keeps every property that it does not name." },
  {
    id: "calendar.if-match",
    sentence: "An event that has changed since it was read is not overwritten.",
  },
  { id: "calendar.at-most-once", sentence: "One idempotency key never makes two events." },
  { id: "calendar.origin", sentence: "The assistant's event has our MAC and a confirmed row." },
  {
    id: "calendar.details",
    sentence: "The user's own events are shown after approval, or counted.",
  },
  {
    id: "calendar.zones",
    sentence:
      "Every timed event has its zone with a VTIMEZONE. A time in the second hour of clocks put back is in UTC.",
  },
  { id: "calendar.ids", sentence: "An event's id has at most 40 characters, in any calendar." },
  {
    id: "calendar.local-times",
    sentence: "A time without an offset is in the given `timeZone`, or refused.",
  },
  {
    id: "calendar.both-zones",
    sentence: "An effect shows the event's own zone, and the person's if it differs.",
  },
  { id: "calendar.faults", sentence: "Only reads are retried, within one time limit per call." },

  // Files and mail in a bucket
  {
    id: "store.contract",
    sentence: "Every object store meets one contract, S3 and the embedded one alike.",
  },
  {
    id: "store.whole",
    sentence:
      "A bucket that fails during an operation leaves nothing half-written, and the error says so.",
  },
  {
    id: "store.conditional-delete",
    sentence: "Deletes are conditional if the store supports it.",
  },
  { id: "store.digest", sentence: "A whole read from a bucket is compared with our own SHA-256." },
  { id: "store.end-to-end", sentence: "Files, undo copies and mail work over a bucket." },

  // Web search
  { id: "web.bounded", sentence: "A web answer has at most five results and stays bounded." },
  {
    id: "web.clean",
    sentence: "A web answer has no hidden characters and only http(s) addresses.",
  },
  {
    id: "web.errors",
    sentence:
      "A refused key, a full quota, no answer and an invalid answer of the search are different errors.",
  },
  {
    id: "web.audit",
    sentence: "The audit record contains all fields of a web search in plain text.",
  },
  {
    id: "web.leaves",
    sentence:
      "The text that leaves with a search has at most 300 characters and five real domains.",
  },
  {
    id: "settings.effect",
    sentence: "Every setting of `.env` has its effect in the built program.",
  },

  // MCP over HTTP
  {
    id: "page.over-http",
    sentence: "Over HTTP an approver signs in at the page beside /mcp and decides there.",
  },
  { id: "http.token", sentence: "Over HTTP nothing happens without a token." },
  {
    id: "http.headers-first",
    sentence: "Host, origin and media types are checked before a body is read.",
  },
  { id: "http.bounded", sentence: "Over HTTP a body's size is limited while it is read." },
  {
    id: "http.guessing",
    sentence: "Networks that send wrong secrets have to wait, and no others.",
  },
  {
    id: "http.browser",
    sentence: "A browser in which an approver signed in is not locked out by others.",
  },
  {
    id: "mail.search-turns",
    sentence: "Many simultaneous searches of untrusted mail keep no other caller waiting.",
  },
  {
    id: "mail.growth",
    sentence:
      "No sender fills the disk: each has a share of messages and bytes per hour, and mail leaves free space for decisions.",
  },
  {
    id: "http.shares",
    sentence:
      "Clients without a token and single callers cannot occupy the connections that others need.",
  },
  {
    id: "http.sessions",
    sentence: "A session belongs to its caller, and does not exist for any other.",
  },
  { id: "http.callers", sentence: "Callers neither see nor answer each other's requests." },
  { id: "http.replicas", sentence: "Any server on the same database takes a 2026 answer, once." },
  { id: "http.stop", sentence: "A server that stops answers its calls and ends with 0." },
  {
    id: "http.health",
    sentence: "A health check says whether calls can be answered, and nothing else.",
  },
  {
    id: "http.first-token",
    sentence: "The first start creates a token, prints it once and stores its hash.",
  },
  { id: "http.exposed", sentence: "Nothing listens beyond this machine without an https address." },
  { id: "http.conformance", sentence: "The official suite passes, and its results are published." },
  ...policyRequirements,
  ...assistantRequirements,
  ...recordRequirements,
];
