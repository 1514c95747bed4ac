import type { CodeKind } from "../content-marks.ts";

/** Numbers of codes, and of their pairs of characters. */
export interface CodeAmount {
  codes: number;
  pairs: number;
}

/**
 * Counts codes in the order in which the caller received them. A match among many codes is likelier to be a coincidence.
 * The few that unlock something are counted apart from the many others.
 */
export class CodeOrder {
  readonly #secrets: CodeAmount = { codes: 0, pairs: 0 };
  readonly #others: CodeAmount = { codes: 0, pairs: 0 };

  /** Adds a code. Returns the numbers of those before it. */
  add(kind: CodeKind, pairCount: number): CodeAmount {
    const amount = this.#of(kind);
    const older = { ...amount };
    amount.codes += 1;
    amount.pairs += pairCount;
    return older;
  }

  /** Returns the numbers of those that are not older than a code. */
  newerThan(kind: CodeKind, older: CodeAmount): CodeAmount {
    const { codes, pairs } = this.#of(kind);
    return { codes: codes - older.codes, pairs: pairs - older.pairs };
  }

  #of(kind: CodeKind): CodeAmount {
    return kind === "secret" ? this.#secrets : this.#others;
  }
}
