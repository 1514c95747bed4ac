import { sentCharacters } from "../../../core/flow/ledger.ts";
import type { InformationFlow } from "../../../core/flow/flow.ts";
import {
  type Recording,
  type RecordingMarks,
  beginMark,
} from "../../../core/flow/recording-marks.ts";
import type { Log } from "../../../core/shared/log.ts";

/**
 * Loads the information flow at its first use, because a start needs neither its comparison nor its lists of words.
 * Items and texts that come before it is loaded are marked immediately, and recorded first, in order.
 */
export function lazyFlow(
  open: () => Promise<InformationFlow>,
  { marks, log }: { marks: RecordingMarks | undefined; log: Log },
): InformationFlow {
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

  function record(
    principal: string,
    recording: Recording,
    work: (flow: InformationFlow) => Promise<void> | undefined,
  ): Promise<void> | undefined {
    if (flow !== undefined) return work(flow);
    const mark = beginMark(marks, { principal, recording, log });
    mark?.end();
    let recorded: Promise<void> | undefined;
    waiting.push((loaded) => {
      recorded = work(loaded);
      // The record marks it a moment later.
      void Promise.resolve(recorded).then(
        () => mark?.remove(),
        () => mark?.remove(),
      );
    });
    const loading = opened();
    // A later check fails then, so no text leaves. The mark stays for other processes.
    loading.catch(() => undefined);
    return mark === undefined ? loading.then(() => recorded) : undefined;
  }

  return {
    nameOf: async (source) => await (await opened()).nameOf(source),
    given: (principal, contents) =>
      contents.length === 0
        ? undefined
        : record(principal, { given: contents, sent: [] }, (each) =>
            each.given(principal, contents),
          ),
    sent: (sending) => {
      const { principal, destination, text } = sending;
      const sent = [{ destination, text: text.slice(-sentCharacters) }];
      return record(principal, { given: [], sent }, (each) => each.sent(sending));
    },
    examine: async (sending) => await (await opened()).examine(sending),
    origins: async (principal, args) => await (await opened()).origins(principal, args),
    mailsRead: async (principal) => await (await opened()).mailsRead(principal),
    idle: async () => await (await opening)?.idle(),
    close: async () => await (await opening?.catch(() => undefined))?.close(),
  };
}
