import { format } from "node:util";

/**
 * Hides what libraries print: it is for programmers, and on stdout it would break the protocol of `serve`. At level
 * `debug` it is on stderr. Our own messages use `console.log`, `console.error` and the log.
 */
export function hideLibraryOutput(): void {
  console.warn = show;
  console.info = show;
  console.debug = show;
  // Node prints warnings with a listener of its own.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => show(warning.stack ?? warning.message));
}

/** Hides `console.log` as well, for a process whose stdout is a protocol. */
export function hideStdout(): void {
  console.log = show;
}

function show(...words: readonly unknown[]): void {
  // Imported late, because most commands print their help without the settings.
  void import("./settings.ts").then(({ isDebugging }) => {
    if (isDebugging()) process.stderr.write(`${format(...words)}\n`);
  });
}
