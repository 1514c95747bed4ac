/** A list of integers of 32 bits. */
export class IntegerList {
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

  at(index: number): number {
    return this.#values[index] ?? 0;
  }
}
