import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { once } from "node:events";
import { freePort } from "./child.ts";

/** The answer for a name: records by type, or a kind of misbehaviour. */
export type Answer =
  | Partial<Record<"TXT" | "A" | "AAAA" | "MX" | "CNAME", readonly string[]>>
  | "SERVFAIL"
  | "REFUSED"
  | "nothing";

export interface DnsServer {
  /** `address:port` */
  address: string;
  /** Names that were asked for, with their type. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const types: Readonly<Record<number, string>> = {
  1: "A",
  5: "CNAME",
  15: "MX",
  16: "TXT",
  28: "AAAA",
};
const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** Starts a DNS server on loopback, UDP and TCP (RFC 1035). Only the names in `zone` exist. */
export async function startDns(zone: ReadonlyMap<string, Answer>): Promise<DnsServer> {
  const asked: string[] = [];
  const udp = createSocket("udp4");
  udp.on("message", (query, { port, address }) => {
    const reply = answer(query);
    if (reply === undefined) return;
    // RFC 1035 4.2.1: what does not fit is asked for again over TCP.
    if (reply.length > 512) {
      const cut = Buffer.from(query.subarray(0, questionEnd(query)));
      cut.writeUInt16BE(0x8780, 2);
      cut.writeUInt16BE(0, 10);
      udp.send(cut, port, address);
    } else udp.send(reply, port, address);
  });
  const port = await freePort();
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  const tcp = createServer((socket) => {
    let pieces = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (piece) => {
      pieces = Buffer.concat([pieces, piece]);
      while (pieces.length >= 2 && pieces.length >= 2 + pieces.readUInt16BE(0)) {
        const length = pieces.readUInt16BE(0);
        const reply = answer(pieces.subarray(2, 2 + length));
        pieces = pieces.subarray(2 + length);
        if (reply === undefined) continue;
        const head = Buffer.alloc(2);
        head.writeUInt16BE(reply.length);
        socket.write(Buffer.concat([head, reply]));
      }
    });
  }).listen(port, "127.0.0.1");
  await once(tcp, "listening");

  function answer(query: Buffer): Buffer | undefined {
    const end = questionEnd(query);
    const name = nameAt(query, 12).toLowerCase();
    const type = types[query.readUInt16BE(end - 4)] ?? "?";
    asked.push(`${name} ${type}`);
    const found = zone.get(name);
    if (found === "nothing") return undefined;
    const code =
      found === undefined ? codes.NXDOMAIN : typeof found === "string" ? codes[found] : 0;
    const records =
      typeof found === "object"
        ? Object.entries(found).flatMap(([of, values]) =>
            of === type || of === "CNAME" ? values.map((value) => record(of, value)) : [],
          )
        : [];
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    return Buffer.concat([head, ...records]);
  }

  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

function questionEnd(query: Buffer): number {
  let at = 12;
  while ((query[at] ?? 0) > 0) at += (query[at] ?? 0) + 1;
  return at + 5;
}

function nameAt(query: Buffer, start: number): string {
  const labels: string[] = [];
  for (let at = start; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1)
    labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString("latin1"));
  return labels.join(".");
}

function record(type: string, value: string): Buffer {
  const data = dataOf(type, value);
  const head = Buffer.alloc(12);
  // The name of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(
    Number(Object.keys(types).find((number) => types[Number(number)] === type)),
    2,
  );
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: string, value: string): Buffer {
  switch (type) {
    case "A":
      return Buffer.from(value.split(".").map(Number));
    case "TXT":
      return Buffer.concat(
        (value.match(/[^]{1,255}/g) ?? []).map((piece) =>
          Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece, "latin1")]),
        ),
      );
    case "MX":
      return Buffer.concat([Buffer.from([0, 10]), labels(value)]);
    default:
      return labels(value);
  }
}

function labels(name: string): Buffer {
  const parts = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...parts, Buffer.from([0])]);
}
