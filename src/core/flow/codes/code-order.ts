import type { CodeKind } from "../content-marks.ts";

/** Number of codes of one sort, and of the pairs of characters of all codes. */
export interface CodeAmount {
  codes: number;
  pairs: number;
}

/**
 * Counts codes in the order in which the caller received them. A match among many codes is likelier to be a coincidence.
 * The few that unlock something are counted apart from the many others. Their pairs of characters are not, because a part of
 * such a code is no rarer in a text than a part of another one.
 */
export class CodeOrder {
  #secrets = 0;
  #others = 0;
  #pairs = 0;

  /** Adds a code. Returns the amount before it. */
  add(kind: CodeKind, pairCount: number): CodeAmount {
    const older = this.#amountFor(kind);
    if (kind === "secret") this.#secrets += 1;
    else this.#others += 1;
    this.#pairs += pairCount;
    return older;
  }

  /** Returns the amount that is not older than a code. */
  newerThan(kind: CodeKind, older: CodeAmount): CodeAmount {
    const { codes, pairs } = this.#amountFor(kind);
    return { codes: codes - older.codes, pairs: pairs - older.pairs };
  }

  #amountFor(kind: CodeKind): CodeAmount {
    return { codes: kind === "secret" ? this.#secrets : this.#others, pairs: this.#pairs };
  }
}
