// Loaded into a process under test by `--import`: a timer of ten minutes, after which an idle server is stopped, takes a
// tenth of a second.
const { setTimeout: original } = globalThis;
globalThis.setTimeout = (work, ms, ...args) => original(work, ms === 600_000 ? 100 : ms, ...args);
