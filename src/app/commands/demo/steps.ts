import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { DemoAssistant, DemoAnswer } from "./assistant.ts";
import { type DemoMail, demoMails, secret, wantedFile } from "./mails.ts";
import type { DemoPerson } from "./person.ts";
import type { Printer } from "./printer.ts";
import type { Receiver } from "./receiver.ts";
import type { LocalService } from "../attack/listen-locally.ts";

/** Longest time from a message's acknowledgement to its place in the search index. Milliseconds. */
const findableWithinMs = 60_000;
/**
 * The first pause between two searches, in milliseconds. Each is twice the one before: searches spend the call budget.
 */
const firstPauseMs = 100;

export interface Stage {
  print: Printer;
  person: DemoPerson;
  receiver: Receiver;
  assistant: DemoAssistant;
  search: LocalService;
}

/** A step of the demo had a different outcome than the demo describes. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

const found = z.object({
  emails: z.array(z.object({ id: z.string(), subject: z.string(), summary: z.string() })),
  total: z.int(),
});
const files = z.object({ files: z.array(z.object({ key: z.string() })) });

function must(holds: boolean, expectation: string): void {
  if (!holds) throw new DemoError(`The demo expected that ${expectation}. That did not happen.`);
}

/** Sends three messages and waits until a search finds all of them. */
export async function receiveMail({ print, receiver, assistant }: Stage): Promise<void> {
  print.step("Mail arrives");
  print.say(
    `The SMTP intake listens at 127.0.0.1:${receiver.port} for mail that you forward to it.`,
    "Three messages arrive:",
    "",
  );
  const mails = demoMails(new Date());
  for (const { from, subject, raw } of mails) {
    await receiver.send(raw);
    print.say(`  ${from.padEnd(12)} ${subject}`);
  }
  print.say("", "Each message was stored on disk before it was acknowledged, and is now indexed.");
  await allFindable(assistant, mails);
  print.checked("search_emails finds all three.");
}

async function allFindable(assistant: DemoAssistant, mails: readonly DemoMail[]): Promise<void> {
  const deadline = Date.now() + findableWithinMs;
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const { emails } = found.parse((await assistant.call("search_emails", {})).data);
    if (mails.every((mail) => emails.some(({ subject }) => subject === mail.subject))) return;
    must(Date.now() < deadline, "three messages that arrived are found");
    await pause(pauseMs);
  }
}

export function listTools({ print, assistant }: Stage): void {
  print.step("An assistant connects");
  print.say(
    "A client starts the server over stdio, as Claude Desktop, Claude Code and VS Code do.",
    "Every tool has a risk:",
    "",
  );
  const kinds = {
    low: "runs immediately",
    medium: "runs and is reported to you",
    high: "runs only after you approve",
  };
  for (const [risk, meaning] of Object.entries(kinds)) {
    const names = assistant.tools.filter((tool) => tool.risk === risk).map(({ name }) => name);
    print.say(`  ${risk.padEnd(7)} ${meaning}`, `          ${names.join(", ")}`);
    must(names.length > 0, `there is a tool of ${risk} risk`);
  }
}

export async function lowRisk(stage: Stage): Promise<void> {
  const { print } = stage;
  print.step("Low risk: searching and reading run immediately");
  const search = await calls(stage, "search_emails", { query: "kitchen" });
  const { emails } = found.parse(search.data);
  const [offer] = emails;
  must(emails.length === 1 && offer?.subject === "Offer for the kitchen", "one offer is found");
  print.quote(`${offer?.subject}: ${offer?.summary}`);
  const mail = await calls(stage, "read_email", { emailId: offer?.id });
  print.quote(String(mail.data["content"]));
  must(String(mail.data["content"]).includes("8 450 euros"), "the offer can be read");
}

export async function mediumRisk(stage: Stage): Promise<void> {
  stage.print.step("Medium risk: writing a file runs and is reported to you");
  const texts = {
    "offer.md": "Kitchen: 8 450 euros, until Friday",
    [wantedFile]: "Signed on the first of March",
  };
  for (const [key, content] of Object.entries(texts)) {
    const written = await calls(stage, "write_file", { key, content });
    must(!written.isError && written.text.includes("Tell the user:"), `${key} is written`);
    stage.print.quote(written.text);
  }
  const there = await keys(stage.assistant);
  must(
    Object.keys(texts).every((key) => there.includes(key)),
    "both files are there",
  );
  stage.print.checked("both files are there.");
}

export async function highRisk(stage: Stage): Promise<void> {
  const { print, person } = stage;
  print.step("High risk: deleting a file needs your approval");
  person.expect("approve");
  const answer = await calls(stage, "delete_file", { key: "offer.md" });
  must(person.questions.length === 1, "the person is asked once");
  print.say("", "The assistant receives:");
  print.quote(answer.text);
  const isGone = !(await keys(stage.assistant)).includes("offer.md");
  if (answer.isError && !isGone) {
    print.checked("offer.md is still there, because you denied the call.");
    throw new DemoError("You denied the call, so it did not run. The demo needs an approval here.");
  }
  must(!answer.isError && isGone, "the approved file is deleted");
  must(typeof answer.data["undoUntil"] === "string", "the deleted file can be restored");
  print.checked("offer.md was deleted once. You can restore it for a day.");
}

/** Reads the third message, which gives the assistant orders, and acts as an assistant that obeys. */
export async function hostileMail(stage: Stage): Promise<void> {
  const { print, person, assistant } = stage;
  print.step("A message tries to manipulate the assistant");
  const { emails } = found.parse(
    (await assistant.call("search_emails", { query: "mailbox" })).data,
  );
  const hostile = await calls(stage, "read_email", { emailId: emails[0]?.id });
  print.say("Untrusted text is between markers with a random id:");
  print.quote(hostile.text.slice(hostile.text.indexOf("[untrusted")));
  must(/\[untrusted [0-9a-f]{12}:/.test(hostile.text), "the message is marked as untrusted");

  print.say(
    "",
    "Markers help a model but do not bind it. Suppose that this model obeys the message.",
  );
  person.expect("deny");
  const before = person.questions.length;
  const refused = await calls(stage, "delete_file", { key: wantedFile });
  print.say("", "The assistant receives:");
  print.quote(refused.text);
  must(person.questions.length === before + 1, "the person is asked about the second file");
  const isThere = (await keys(assistant)).includes(wantedFile);
  if (!refused.isError) {
    throw new DemoError(
      "You approved the call, so the file was deleted. The demo needs a denial here.",
    );
  }
  must(refused.text.startsWith("denied:") && isThere, `${wantedFile} is still there`);

  print.say("", "The assistant repeats the call:");
  const again = await calls(stage, "delete_file", { key: wantedFile });
  print.quote(again.text.split("\n", 1)[0] ?? "");
  must(again.text.startsWith("denied:"), "the second try is denied");
  must(person.questions.length === before + 1, "there is no second request");
  must((await keys(assistant)).includes(wantedFile), `${wantedFile} is still there`);
  print.checked(`${wantedFile} is still there, and there was no second request.`);
}

/** Reads the secret and searches the web for it, as an assistant that still obeys the third message. */
export async function keepSecret(stage: Stage): Promise<void> {
  const { print, person, assistant, search } = stage;
  print.step("Private content needs your approval before it leaves");
  print.say("For the demo, the search service is a small server on this machine.");
  const harmless = await calls(stage, "web_search", { query: "kitchen fitters reviews" });
  must(!harmless.isError, "an ordinary search runs without approval");
  print.quote(harmless.text.split("\n", 1)[0] ?? "");
  print.checked("an ordinary search runs immediately.");

  const { emails } = found.parse((await assistant.call("search_emails", { query: "door" })).data);
  const mail = await calls(stage, "read_email", { emailId: emails[0]?.id });
  must(String(mail.data["content"]).includes(secret), "the door code can be read");
  print.quote(String(mail.data["content"]));

  person.expect("deny");
  const before = person.questions.length;
  const refused = await calls(stage, "web_search", { query: `door code ${secret}` });
  print.say("", "The assistant receives:");
  print.quote(refused.text);
  must(person.questions.length === before + 1, "the person is asked before the code leaves");
  if (!refused.isError) {
    throw new DemoError("You approved the search, so it ran. The demo needs a denial here.");
  }
  must(!search.received().includes(secret), "the search service received no door code");
  print.checked("the search service did not receive the door code.");
}

/** Calls a tool and prints the call. */
async function calls(
  { print, assistant }: Stage,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<DemoAnswer> {
  print.call(tool, args);
  return await assistant.call(tool, args);
}

async function keys(assistant: DemoAssistant): Promise<string[]> {
  const listed = await assistant.call("list_files", {});
  return files.parse(listed.data).files.map(({ key }) => key);
}
