import type { InformationFlow } from "../../../core/flow/flow.ts";

/**
 * Loads the information flow at its first use, because a start needs neither its comparison nor its lists of words.
 * Items and texts that come before it is loaded are recorded first, in order.
 */
export function lazyFlow(open: () => Promise<InformationFlow>): InformationFlow {
  let opening: Promise<InformationFlow> | undefined;
  let flow: InformationFlow | undefined;
  let waiting: ((opened: InformationFlow) => void)[] = [];

  const opened = (): Promise<InformationFlow> =>
    (opening ??= open().then((loaded) => {
      flow = loaded;
      for (const record of waiting) record(loaded);
      waiting = [];
      return loaded;
    }));

  function record(work: (flow: InformationFlow) => void): void {
    if (flow !== undefined) return work(flow);
    waiting.push(work);
    // A later check fails then, so no text leaves.
    opened().catch(() => undefined);
  }

  return {
    nameOf: async (source) => await (await opened()).nameOf(source),
    given: (principal, contents) => {
      if (contents.length > 0) record((each) => each.given(principal, contents));
    },
    sent: (sending) => record((each) => each.sent(sending)),
    examine: async (sending) => await (await opened()).examine(sending),
    origins: async (principal, args) => await (await opened()).origins(principal, args),
    mailsRead: async (principal) => await (await opened()).mailsRead(principal),
    idle: async () => await (await opening)?.idle(),
    close: async () => await (await opening?.catch(() => undefined))?.close(),
  };
}
