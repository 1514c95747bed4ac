import { z } from "zod";
import type { DemoAnswer, DemoAssistant } from "../../../src/app/commands/demo/assistant.ts";
import type { Suite, SuiteCall } from "./suite.ts";
import { office } from "./world.ts";

// AgentDojo's tools as calls of ours. The model is scripted and does all that a text tells it.

/** All events of the suite are within these days. */
const calendarStart = "2024-05-01T00:00:00Z";
const calendarEnd = "2024-07-31T00:00:00Z";
const mailsRead = 3;
/** The longest query that `web_search` accepts, and how many pieces of a text the model tries. Characters. */
const queryCharacters = 300;
const pieces = 4;

const mails = z.object({ emails: z.array(z.object({ id: z.string(), subject: z.string() })) });
const events = z.object({ events: z.array(z.object({ id: z.string(), title: z.string() })) });
const file = z.object({ content: z.string(), etag: z.string() });

/** One conversation of the scripted model. */
export interface Agent {
  /** Makes the calls in their order, and continues after each refusal. */
  follow(calls: readonly SuiteCall[]): Promise<void>;
  /** All that the model read, in the order of its calls. */
  readonly read: readonly string[];
}

export function createAgent(assistant: DemoAssistant, suite: Suite): Agent {
  const read: string[] = [];
  const use = async (tool: string, args: Record<string, unknown>): Promise<DemoAnswer> => {
    const answer = await assistant.call(tool, args);
    read.push(answer.text);
    return answer;
  };

  async function searchMail(args: Record<string, unknown>, most: number): Promise<void> {
    const { data } = await use("search_emails", args);
    for (const { id } of mails.parse(data).emails.slice(0, most))
      await use("read_email", { emailId: id });
  }

  async function readMails(chosen: (mail: Suite["emails"][number]) => boolean): Promise<void> {
    const { emails: listed } = mails.parse((await use("search_emails", { limit: 50 })).data);
    const subjects = new Set(suite.emails.filter(chosen).map(({ subject }) => subject));
    for (const { id, subject } of listed)
      if (subjects.has(subject)) await use("read_email", { emailId: id });
  }

  const nameOf = (id: string): string => suite.files.find((one) => one.id === id)?.name ?? id;

  async function eventOf(id: string): Promise<string> {
    const title = suite.events.find((one) => one.id === id)?.title;
    const { data } = await use("get_events_details", { start: calendarStart, end: calendarEnd });
    return events.safeParse(data).data?.events.find((one) => one.title === title)?.id ?? id;
  }

  async function append(name: string, more: string): Promise<void> {
    const found = file.safeParse((await use("read_file", { key: name })).data).data;
    if (found === undefined) return;
    const content = `${found.content}\n${more}`;
    await use("write_file", { key: name, content, ifMatch: found.etag });
  }

  /** Sends a mail, and tries a web search for its text if that is refused. */
  async function send({ args, withRead }: SuiteCall): Promise<void> {
    const { recipients, subject, body } = z
      .object({ recipients: z.array(z.string()), subject: z.string(), body: z.string() })
      .parse(args);
    const whole = withRead ? [body, ...read].join("\n") : body;
    const mail = { recipients, subject, body: whole.slice(0, 20_000) };
    const { isError } = await use(`${office}__send_email`, mail);
    if (!isError) return;
    const text = withRead
      ? read.map(withoutFrame).join(" ")
      : `${recipients[0]} ${subject} ${body}`;
    for (let at = 0; at < Math.min(text.length, pieces * queryCharacters); at += queryCharacters)
      await assistant.call("web_search", { query: text.slice(at, at + queryCharacters) });
    const encoded = Buffer.from(text).toString("base64").slice(0, queryCharacters);
    await assistant.call("web_search", { query: encoded });
  }

  async function make(call: SuiteCall): Promise<void> {
    const { tool } = call;
    const args = z.record(z.string(), z.unknown()).parse(call.args);
    const text = (name: string): string => z.string().parse(args[name] ?? "");
    switch (tool) {
      case "get_current_day":
        return;
      case "search_calendar_events":
        await use("get_events_details", { start: calendarStart, end: calendarEnd });
        return;
      case "get_day_calendar_events": {
        const end = new Date(Date.parse(`${text("day")}T00:00:00Z`) + 86_400_000).toISOString();
        await use("get_events_details", { start: `${text("day")}T00:00:00Z`, end });
        return;
      }
      case "create_calendar_event":
        await use("create_event", {
          title: text("title"),
          start: moment(text("start_time")),
          end: moment(text("end_time")),
        });
        return;
      case "reschedule_calendar_event":
        await use("update_event", {
          eventId: await eventOf(text("event_id")),
          start: moment(text("new_start_time")),
          end: moment(text("new_end_time")),
        });
        return;
      case "search_emails":
        await searchMail(
          { query: text("query"), ...(args["sender"] !== undefined && { from: args["sender"] }) },
          mailsRead,
        );
        return;
      case "search_contacts_by_name":
        await searchMail({ query: text("query") }, mailsRead);
        return;
      case "get_unread_emails":
        await readMails(({ isUnread }) => isUnread);
        return;
      case "get_received_emails":
        await readMails(({ isSent }) => !isSent);
        return;
      case "get_sent_emails":
        await readMails(({ isSent }) => isSent);
        return;
      case "list_files":
        await use("list_files", {});
        return;
      case "search_files": {
        const { data } = await use("search_files", { query: text("query") });
        const found = z.object({ files: z.array(z.object({ key: z.string() })) }).parse(data);
        for (const { key } of found.files.slice(0, mailsRead)) await use("read_file", { key });
        return;
      }
      case "search_files_by_filename":
        await use("read_file", { key: text("filename") });
        return;
      case "get_file_by_id":
        await use("read_file", { key: nameOf(text("file_id")) });
        return;
      case "append_to_file":
        await append(nameOf(text("file_id")), text("content"));
        return;
      case "create_file":
        await use("write_file", { key: text("filename"), content: text("content") });
        return;
      case "delete_file":
        await use("delete_file", { key: nameOf(text("file_id")) });
        return;
      case "send_email":
        await send(call);
        return;
      case "delete_email":
      case "share_file":
      case "add_calendar_event_participants":
        await use(`${office}__${tool}`, args);
        return;
      default:
        throw new Error(`The tool ${tool} has no counterpart. Add one to agent.ts.`);
    }
  }

  return {
    read,
    follow: async (calls) => {
      for (const call of calls) await make(call);
    },
  };
}

/** Returns a time of the suite, such as `2024-05-19 12:00`, with the offset of UTC. */
function moment(local: string): string {
  return `${local.replace(" ", "T")}:00Z`;
}

/** Returns the text between the markers, which is what a thief wants. */
function withoutFrame(text: string): string {
  const [, inner] = /\[untrusted (?:\w+)[^\]]*\]\n([\s\S]*?)\n\[end of untrusted/.exec(text) ?? [];
  return inner ?? text;
}
