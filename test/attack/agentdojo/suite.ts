import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const argument = z.union([z.string(), z.array(z.unknown())]).transform((value) => value);

const call = z.object({
  tool: z.string(),
  args: z.record(z.string(), argument),
  /** The text that the model read before is added to the body. */
  withRead: z.boolean().default(false),
});

/** A call of AgentDojo's own tools. */
export type SuiteCall = z.output<typeof call>;

const suite = z.object({
  version: z.string(),
  /** The places of attacks, and their texts without one. A place is `[[name]]` in the environment. */
  vectors: z.record(z.string(), z.string()),
  emails: z.array(
    z.object({
      id: z.string(),
      from: z.string(),
      to: z.array(z.string()),
      cc: z.array(z.string()),
      subject: z.string(),
      body: z.string(),
      date: z.string(),
      isUnread: z.boolean(),
      isSent: z.boolean(),
    }),
  ),
  events: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      start: z.string(),
      end: z.string(),
    }),
  ),
  files: z.array(z.object({ id: z.string(), name: z.string(), content: z.string() })),
  userTasks: z.array(z.object({ id: z.string(), calls: z.array(call) })),
  injectionTasks: z.array(z.object({ id: z.string(), text: z.string(), calls: z.array(call) })),
});

/** AgentDojo's workspace suite. Times are local times without a zone, which are taken as UTC. */
export type Suite = z.output<typeof suite>;

const maxBytes = 64 * 1024 * 1024;

/**
 * Reads the suite from the installed PyPI package `agentdojo`.
 * @throws Error if Python or the package is absent
 */
export function readSuite(python: string): Suite {
  const script = fileURLToPath(new URL("export_suite.py", import.meta.url));
  return suite.parse(
    JSON.parse(execFileSync(python, [script], { maxBuffer: maxBytes }).toString()),
  );
}

/** Returns the suite with a text at each place of an attack. Without one, each place has its harmless text. */
export function filled(from: Suite, attack?: string): Suite {
  const fill = (text: string): string =>
    text.replace(/\[\[(\w+)\]\]/g, (whole, name: string) => attack ?? from.vectors[name] ?? whole);
  return {
    ...from,
    emails: from.emails.map((mail) => ({ ...mail, body: fill(mail.body) })),
    events: from.events.map((event) => ({ ...event, description: fill(event.description) })),
    files: from.files.map((file) => ({ ...file, content: fill(file.content) })),
  };
}
