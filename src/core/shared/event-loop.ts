/**
 * Characters that are processed between two runs of the event loop, in two or three milliseconds. Another call needs
 * some dozens of runs, and waits this long for each of them.
 */
const turnCharacters = 12_000;

let spent = 0;
let turns: Promise<void> = Promise.resolve();

/** Counts characters that were processed in this thread since the event loop last ran. */
export function spend(characters: number): void {
  spent += characters;
}

/**
 * Lets the event loop run if enough was processed since its last run. Waiting tasks continue one per run, so many
 * searches delay other work no longer than a single one does.
 */
export async function turn(): Promise<void> {
  if (spent < turnCharacters) return;
  turns = turns.then(
    () =>
      new Promise((resolve) => {
        setImmediate(() => {
          spent = 0;
          resolve();
        });
      }),
  );
  await turns;
}
