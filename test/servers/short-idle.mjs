// Loaded into a process under test by `--import`: a timer of ten minutes, after which an idle server is stopped, takes a
// tenth of a second.
const [tenMinutesMs, shortMs] = [600_000, 100];
globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
  /**
   * @param {unknown[]} given
   * @returns {unknown}
   */
  apply(timer, self, given) {
    const changed = given.map((each) => (each === tenMinutesMs ? shortMs : each));
    return Reflect.apply(timer, self, changed);
  },
});
