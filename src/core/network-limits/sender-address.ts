import { isAddress, isPrivateAddress } from "./network.ts";

/** The parts of a request that identify its sender's address. */
interface Sent {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  socket: { remoteAddress?: string | undefined };
}

/**
 * Returns whether the peer is our proxy. Only a peer on this machine or in a private network may name another sender.
 */
export function isProxy(peer: string, behindProxy: boolean): boolean {
  return behindProxy && isPrivateAddress(peer);
}

/**
 * Returns the address from which a request was sent. Behind a proxy it is the last address in `X-Forwarded-For`. The
 * sender may have forged the others.
 * @param behindProxy true if `PUBLIC_URL` is an https address, which only a proxy can serve
 */
export function addressOf({ headers, socket }: Sent, behindProxy: boolean): string {
  const peer = socket.remoteAddress ?? "unknown";
  if (!isProxy(peer, behindProxy)) return peer;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const last = forwarded.split(",").at(-1)?.trim() ?? "";
  return isAddress(last) ? last : peer;
}
