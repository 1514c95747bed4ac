// Loaded into a process under test by `--import`: its clock shows a time 400 days ago.
const now = Date;
const ago = 400 * 86_400_000;

globalThis.Date = class extends now {
  /** @param {(string | number)[]} given */
  constructor(...given) {
    super(...(given.length === 0 ? [now.now() - ago] : given));
  }

  static now() {
    return now.now() - ago;
  }
};
