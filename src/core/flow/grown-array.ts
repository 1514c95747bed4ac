/** A list of numbers of 32 bits that grows. */
export class GrownArray {
  #values = new Int32Array(1_024);
  length = 0;

  push(value: number): void {
    this.#reserve(1);
    this.#values[this.length] = value;
    this.length += 1;
  }

  pushAll(values: Uint16Array | Uint32Array): void {
    this.#reserve(values.length);
    this.#values.set(values, this.length);
    this.length += values.length;
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.#values.length) return;
    let size = this.#values.length;
    while (size < needed) size *= 2;
    const longer = new Int32Array(size);
    longer.set(this.#values);
    this.#values = longer;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }
}

/** The place of a hash without values. */
export const none = -1;

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

  /** Returns the place of the newest value of a hash, or `none`. */
  first(hash: number): number {
    return this.#same(hash, (this.#heads[this.#bucketOf(hash)] ?? 0) - 1);
  }

  /** Returns the place of the next older value of the same hash, or `none`. */
  next(hash: number, place: number): number {
    return this.#same(hash, this.#older.at(place));
  }

  valueAt(place: number): number {
    return this.#values.at(place);
  }

  #same(hash: number, from: number): number {
    let place = from;
    while (place !== none && this.#hashes.at(place) !== (hash | 0)) place = this.#older.at(place);
    return place;
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
