/** The codes with the largest shares. They are offered with the newest first, and a newer one precedes an equal one. */
export class LargestShares {
  readonly #most: number;
  /** Sorted by share, the largest first. */
  #codes: number[] = [];
  #shares: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** The share that a further code must exceed. */
  get least(): number {
    return this.#codes.length < this.#most ? -1 : (this.#shares.at(-1) ?? 0);
  }

  /** Enters a code whose share exceeds `least`. */
  enter(code: number, share: number): void {
    let at = this.#codes.length;
    if (at === this.#most) at -= 1;
    for (; at > 0 && (this.#shares[at - 1] ?? 0) < share; at -= 1) {
      this.#codes[at] = this.#codes[at - 1] ?? 0;
      this.#shares[at] = this.#shares[at - 1] ?? 0;
    }
    this.#codes[at] = code;
    this.#shares[at] = share;
  }

  /** Returns the codes, the newest first. Newer codes have higher numbers. */
  newestFirst(): number[] {
    return this.#codes.toSorted((one, other) => other - one);
  }
}
