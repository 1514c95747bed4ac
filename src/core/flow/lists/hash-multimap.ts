/** The place of a hash that has no values. */
export const none = -1;

/**
 * Bits of the number of buckets at the start and after the first growth. The second is enough for all items of one
 * caller, because another growth would take many milliseconds at once.
 */
const bucketBits = [14, 18] as const;
/** Bits of the filter for each bucket. Most of the hashes that are looked up have no value. */
const filterBitsOfBucket = 8;
/** Length of an entry: its hash, its value, and the place of the next older entry in its bucket. */
const entryLength = 3;

/** A multimap from hashes to values. The newest value of a hash comes first. A place is the index of an entry. */
export class HashMultimap {
  #entries = new Int32Array(1_024 * entryLength);
  #count = 0;
  /** The newest place of each bucket, plus one. */
  #heads = new Int32Array(1 << bucketBits[0]);
  /** A bit for each hash that has a value, and for some others. Unlike the lists, it fits into a processor's cache. */
  #filter = new Int32Array(((1 << bucketBits[0]) * filterBitsOfBucket) / 32);

  push(hash: number, value: number): void {
    this.#reserve(1);
    this.#add(hash, value);
  }

  /** Adds a value for each hash. The values are successive numbers. */
  pushAll(hashes: ArrayLike<number>, firstValue: number): void {
    this.#reserve(hashes.length);
    for (let at = 0; at < hashes.length; at += 1) this.#add(hashes[at] ?? 0, firstValue + at);
  }

  /** Returns false if the hash has no value. */
  mayHave(hash: number): boolean {
    const bit = this.#bitOf(hash);
    return ((this.#filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  /** Returns the place of the newest value of a hash, or `none`. */
  first(hash: number): number {
    if (!this.mayHave(hash)) return none;
    return this.#same(hash, (this.#heads[this.#bucketOf(hash)] ?? 0) - 1);
  }

  /** Returns the place of the next older value of the same hash, or `none`. */
  next(hash: number, place: number): number {
    return this.#same(hash, this.#entries[place * entryLength + 2] ?? none);
  }

  valueAt(place: number): number {
    return this.#entries[place * entryLength + 1] ?? 0;
  }

  #same(hash: number, from: number): number {
    let place = from;
    while (place !== none && this.#entries[place * entryLength] !== (hash | 0))
      place = this.#entries[place * entryLength + 2] ?? none;
    return place;
  }

  #bucketOf(hash: number): number {
    return (Math.imul(hash, 0x9e_37_79_b1) >>> 8) & (this.#heads.length - 1);
  }

  #bitOf(hash: number): number {
    return (Math.imul(hash, 0x85_eb_ca_6b) >>> 8) & (this.#filter.length * 32 - 1);
  }

  #add(hash: number, value: number): void {
    const place = this.#count;
    this.#count += 1;
    this.#entries[place * entryLength] = hash;
    this.#entries[place * entryLength + 1] = value;
    this.#link(place, hash);
  }

  #link(place: number, hash: number): void {
    const bucket = this.#bucketOf(hash);
    this.#entries[place * entryLength + 2] = (this.#heads[bucket] ?? 0) - 1;
    this.#heads[bucket] = place + 1;
    const bit = this.#bitOf(hash);
    this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed * entryLength > this.#entries.length) {
      let length = this.#entries.length;
      while (length < needed * entryLength) length *= 2;
      const longer = new Int32Array(length);
      longer.set(this.#entries);
      this.#entries = longer;
    }
    if (needed > this.#heads.length && this.#heads.length < 1 << bucketBits[1]) this.#grow();
  }

  #grow(): void {
    this.#heads = new Int32Array(1 << bucketBits[1]);
    this.#filter = new Int32Array(((1 << bucketBits[1]) * filterBitsOfBucket) / 32);
    for (let place = 0; place < this.#count; place += 1)
      this.#link(place, this.#entries[place * entryLength] ?? 0);
  }
}
