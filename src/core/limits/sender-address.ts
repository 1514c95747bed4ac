import { isAddress, isPrivateAddress } from "./network.ts";

/** The parts of a request that say where it comes from. */
interface Sent {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  socket: { remoteAddress?: string | undefined };
}

/**
 * Returns whether this is our proxy: it stands on this machine or in its own network, so nobody else's word about an address
 * is believed.
 */
export function isProxy(peer: string, behindProxy: boolean): boolean {
  return behindProxy && isPrivateAddress(peer);
}

/**
 * Returns the address that sent a request. Of `X-Forwarded-For` only the last address was written by our proxy; those before
 * it by whoever sent the request.
 * @param behindProxy whether an https address of ours is set, which only a proxy can serve
 */
export function addressOf({ headers, socket }: Sent, behindProxy: boolean): string {
  const peer = socket.remoteAddress ?? "unknown";
  if (!isProxy(peer, behindProxy)) return peer;
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const last = forwarded.split(",").at(-1)?.trim() ?? "";
  return isAddress(last) ? last : peer;
}
