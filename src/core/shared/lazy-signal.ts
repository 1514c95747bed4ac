/** A cancellation whose real signal is created when it is read, because that costs as much as several steps of a call. */
export class LazySignal {
  aborted = false;
  reason: unknown;
  #listener: (() => void) | undefined;
  /** Most calls have one listener at most. */
  #others: Set<() => void> | undefined;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.#listener === undefined) this.#listener = listener;
    else (this.#others ??= new Set()).add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others?.delete(listener);
  }

  /** Aborts once. The reason is that of an `AbortController` unless one is given. */
  abort(reason: unknown = new DOMException("This operation was aborted", "AbortError")): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
    for (const listener of this.#others ?? []) listener();
  }
}

/** A signal, or a lazy one. Most work needs no real signal. */
export type Cancellation = AbortSignal | LazySignal;

/** Returns the real signal. */
export function signalOf(cancellation: Cancellation): AbortSignal {
  return cancellation instanceof LazySignal ? cancellation.signal : cancellation;
}
