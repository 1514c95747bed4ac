/** Bits of the filter. The 600 000 pairs and triples of 2 000 mails set one in eight. */
const filterBits = 1 << 22;

/** A Bloom filter of two and of three neighbouring numbers, with one bit for each. */
export class NeighbourFilter {
  readonly #bits = new Int32Array(filterBits / 32);

  addAll(values: ArrayLike<number>): void {
    for (let at = 0; at + 1 < values.length; at += 1) {
      const [one, two] = [values[at] ?? 0, values[at + 1] ?? 0];
      this.#add(bitOf(one, two, 0));
      this.#add(bitOf(one, two, values[at + 2] ?? 0));
    }
  }

  #add(bit: number): void {
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  /** @param three zero for two numbers */
  mayHave(one: number, two: number, three: number): boolean {
    const bit = bitOf(one, two, three);
    return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

/** Returns the bit of these numbers. */
function bitOf(one: number, two: number, three: number): number {
  const pair = Math.imul(Math.imul(one, 0x9e_37_79_b1) ^ two, 0x85_eb_ca_6b);
  return (Math.imul(pair ^ (pair >>> 15) ^ three, 0xc2_b2_ae_35) >>> 7) & (filterBits - 1);
}
