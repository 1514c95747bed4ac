import type { Config } from "../../config.ts";
import type { ChannelsHere } from "../../core/approvals/directions.ts";
import { mayDecide } from "../../core/approvals/decide-ticket.ts";
import { chatPeople } from "../../channels/telegram/people.ts";
import { openerFor } from "../page/open-browser.ts";
import { ownCommand } from "../platform/own-command.ts";

/**
 * Returns the approval channels that exist with these settings.
 * @param options.opensPage whether this process may open the person's browser on a page of its own
 * @param options.pageUrl where people sign in to decide, over HTTP
 */
export function channelsHere(
  config: Config,
  { opensPage, pageUrl }: { opensPage: boolean; pageUrl: string | undefined },
): ChannelsHere {
  const opens = opensPage && openerFor(config.approvals.open) !== undefined;
  const { telegram, approvals } = config;
  const chats = telegram === undefined ? [] : chatPeople(telegram).chats;
  const deciders = new Set(telegram?.approvers.map(({ userId }) => userId));
  return {
    page: (principal) => {
      if (opens) return "window";
      const hasApprover = approvals.approvers.some(({ name }) => mayDecide(name, principal));
      return pageUrl === undefined || !hasApprover ? undefined : { url: pageUrl };
    },
    telegram: (principal) =>
      chats.some(
        ({ chatId, principal: only }) =>
          deciders.has(chatId) && (only === undefined || only === principal),
      ),
    command: ownCommand(),
    isRemote: pageUrl !== undefined,
  };
}
