import { describe, expect, it } from "vitest";
import { createConnectionShares } from "../../src/core/network-limits/connection-shares.ts";
import { createShares } from "../../src/core/network-limits/shares.ts";

describe("connection shares [http.shares]", () => {
  const setUp = (total: number, ...each: number[]) => {
    const shares = createShares({ total, each });
    const ended: string[] = [];
    const take = (name: string, keys: string[], busy = false) =>
      shares.take({ keys, end: () => void ended.push(name), isBusy: () => busy });
    return { shares, ended, take };
  };

  it("replace the oldest slot of a network that has its share", () => {
    const { shares, ended, take } = setUp(10, 2);
    for (const name of ["a1", "a2", "a3"]) take(name, ["a"]);
    take("b1", ["b"]);
    expect(ended).toEqual(["a1"]);
    expect(shares.size).toBe(3);
  });

  it("when all are taken replace a slot of the largest user", () => {
    const { ended, take } = setUp(5, 5);
    for (const name of ["b1", "a1", "a2", "a3", "a4"]) take(name, [name.charAt(0)]);
    take("c1", ["c"]);
    take("c2", ["c"]);
    expect(ended).toEqual(["a1", "a2"]);
  });

  it("count a wide network besides its parts", () => {
    const { ended, take } = setUp(10, 2, 3);
    for (const part of ["1", "2", "3", "4"]) take(part, [part, "wide"]);
    expect(ended).toEqual(["1"]);
  });

  it("keep slots in use, and grant none if all are in use", () => {
    const { ended, take } = setUp(2, 2);
    take("a1", ["a"], true);
    take("a2", ["a"]);
    expect(take("b1", ["b"], true)).toBeDefined();
    expect(take("c1", ["c"])).toBeUndefined();
    expect(ended).toEqual(["a2"]);
  });

  it("are released once, however often it is requested", () => {
    const { shares, take } = setUp(2, 2);
    const release = take("a1", ["a"]);
    take("a2", ["a"]);
    release?.();
    release?.();
    expect(shares.size).toBe(1);
  });
});

describe("shares of connections [http.shares]", () => {
  const limits = {
    unauthenticatedPerNetwork: 3,
    unauthenticatedPerWiderNetwork: 4,
    unauthenticated: 6,
    perCaller: 2,
    callers: 4,
  };
  const setUp = (isShared = (_address: string) => false) => {
    const shares = createConnectionShares(limits, isShared);
    const open = (remoteAddress: string) => {
      let closed = (): void => undefined;
      const connection = {
        remoteAddress,
        isOpen: true,
        destroy: () => {
          connection.isOpen = false;
          closed();
        },
        once: (_event: "close", listener: () => void) => (closed = listener),
      };
      shares.opened(connection);
      return connection;
    };
    return { shares, open };
  };

  it("close the oldest unauthenticated socket of a network, and never an authenticated client from there", () => {
    const { shares, open } = setUp();
    const proven = open("192.0.2.1");
    shares.proved(proven, "alice");
    const unauthenticated = Array.from({ length: 5 }, () => open("192.0.2.1"));
    expect(unauthenticated.map(({ isOpen }) => isOpen)).toEqual([false, false, true, true, true]);
    expect(proven.isOpen).toBe(true);
  });

  it("close an idle connection of a caller that opens too many, and none in use", () => {
    const { shares, open } = setUp();
    const [busy, idle, next] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(open);
    const ended = shares.began(busy!);
    for (const connection of [busy!, idle!, next!]) shares.proved(connection, "alice");
    expect([busy, idle, next].map((one) => one?.isOpen)).toEqual([true, false, true]);
    ended();
    shares.proved(open("192.0.2.4"), "alice");
    expect(busy?.isOpen).toBe(false);
  });

  it("keep a proxy's connections, except idle ones beyond the total", () => {
    const { shares, open } = setUp((address) => address === "127.0.0.1");
    const connections = Array.from({ length: 4 }, () => open("127.0.0.1"));
    expect(connections.every(({ isOpen }) => isOpen)).toBe(true);
    shares.began(connections[0]!);
    expect(open("127.0.0.1").isOpen).toBe(true);
    expect(connections.map(({ isOpen }) => isOpen)).toEqual([true, false, true, true]);
  });
});
