/** A list of numbers of 32 bits that grows. */
export class GrownArray {
  #values = new Int32Array(1_024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Int32Array(this.#values.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }
}

const none = -1;

/** Values by hash. The newest value of a hash comes first. */
export class HashLists {
  /** The newest place of each bucket, plus one. */
  #heads = new Int32Array(1 << 14);
  readonly #hashes = new GrownArray();
  readonly #values = new GrownArray();
  readonly #older = new GrownArray();

  push(hash: number, value: number): void {
    if (this.#values.length >= this.#heads.length) this.#grow();
    this.#hashes.push(hash);
    this.#values.push(value);
    this.#older.push(none);
    this.#link(this.#values.length - 1);
  }

  /** Calls `use` with each value, the newest first, until it returns false. */
  each(hash: number, use: (value: number) => boolean | void): void {
    let place = (this.#heads[this.#bucketOf(hash)] ?? 0) - 1;
    while (place !== none) {
      if (this.#hashes.at(place) === hash && use(this.#values.at(place)) === false) return;
      place = this.#older.at(place);
    }
  }

  newest(hash: number): number | undefined {
    let found: number | undefined;
    this.each(hash, (value) => {
      found = value;
      return false;
    });
    return found;
  }

  #bucketOf(hash: number): number {
    return (Math.imul(hash, 0x9e_37_79_b1) >>> 8) & (this.#heads.length - 1);
  }

  #link(place: number): void {
    const bucket = this.#bucketOf(this.#hashes.at(place));
    this.#older.set(place, (this.#heads[bucket] ?? 0) - 1);
    this.#heads[bucket] = place + 1;
  }

  #grow(): void {
    this.#heads = new Int32Array(this.#heads.length * 4);
    for (let place = 0; place < this.#values.length; place += 1) this.#link(place);
  }
}
