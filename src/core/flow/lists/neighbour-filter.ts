/**
 * Bits of the filter. The million rows of 2 000 mails set one in five, so that one absent row in twenty seems present.
 */
const filterBits = 1 << 23;

/** A Bloom filter of two to four neighbouring numbers, with two bits for each row. */
export class NeighbourFilter {
  readonly #bits = new Int32Array(filterBits / 32);

  addAll(values: ArrayLike<number>): void {
    for (let at = 0; at + 1 < values.length; at += 1) {
      const two = pairHash(values[at] ?? 0, values[at + 1] ?? 0);
      const three = longerHash(two, values[at + 2] ?? 0);
      this.#add(longerHash(two, 0));
      this.#add(three);
      this.#add(longerHash(three, values[at + 3] ?? 0));
    }
  }

  #add(hash: number): void {
    this.#set(firstBit(hash));
    this.#set(secondBit(hash));
  }

  #set(bit: number): void {
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  #has(bit: number): boolean {
    return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  /** @param three zero for two numbers */
  mayHave(one: number, two: number, three: number): boolean {
    return this.#hasHash(longerHash(pairHash(one, two), three));
  }

  /** Returns false if these four numbers are nowhere in a row. @param values starts with them */
  mayHaveFour([one = 0, two = 0, three = 0, four = 0]: Int32Array): boolean {
    return this.#hasHash(longerHash(longerHash(pairHash(one, two), three), four));
  }

  #hasHash(hash: number): boolean {
    return this.#has(firstBit(hash)) && this.#has(secondBit(hash));
  }
}

function pairHash(one: number, two: number): number {
  const mixed = Math.imul(Math.imul(one, 0x9e_37_79_b1) ^ two, 0x85_eb_ca_6b);
  return mixed ^ (mixed >>> 15);
}

function longerHash(hash: number, next: number): number {
  const mixed = Math.imul(hash ^ next, 0xc2_b2_ae_35);
  return mixed ^ (mixed >>> 13);
}

function firstBit(hash: number): number {
  return (hash >>> 7) & (filterBits - 1);
}

function secondBit(hash: number): number {
  return (Math.imul(hash, 0x45_d9_f3_b7) >>> 7) & (filterBits - 1);
}
