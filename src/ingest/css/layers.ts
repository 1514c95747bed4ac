/** The order of a sheet's cascade layers (CSS Cascade 5, section 6.4.3). */
export interface Layers {
  /** Registers the layer of a name inside an outer one and returns its path. An empty name makes a new layer. */
  open(outer: string, name: string): string;
  /** Returns a number for each path. Later layers have higher numbers, and styles outside layers the highest. */
  ranks(): ReadonlyMap<string, number>;
}

/** Limit on names in a layer's path. Real sheets have two. */
const mostNested = 8;

export function layers(): Layers {
  /** Paths in order of their first appearance. */
  const order = new Set<string>();
  return {
    open: (outer, name) => {
      let path = outer;
      for (const part of (name || `(${order.size})`).split(".", mostNested)) {
        path = path === "" ? part : `${path}.${part}`;
        order.add(path);
      }
      return path;
    },
    ranks: () => {
      const places = new Map([...order].map((path, place) => [path, place]));
      // The styles of a layer override those of the layers in it.
      const placesOf = (path: string): number[] => {
        const parts = path === "" ? [] : path.split(".");
        const own = parts.map((_, at) => places.get(parts.slice(0, at + 1).join(".")) ?? 0);
        return [...own, Infinity];
      };
      const sorted = [...order, ""].map((path) => ({ path, places: placesOf(path) }));
      sorted.sort((one, other) => {
        const at = one.places.findIndex((place, index) => place !== other.places[index]);
        return at === -1 ? 0 : (one.places[at] ?? 0) < (other.places[at] ?? 0) ? -1 : 1;
      });
      return new Map(sorted.map(({ path }, rank) => [path, rank]));
    },
  };
}
