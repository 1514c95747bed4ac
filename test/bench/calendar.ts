import { createServer, request as forward } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { readCalendarFile } from "../../src/calendar/event.ts";
import { expandSeries } from "../../src/calendar/recurrence/expand.ts";
import { dayMs, ianaZone } from "../../src/core/shared/time-zone.ts";
import { Secret } from "../../src/core/shared/secret.ts";
import type { ExecuteContext } from "../../src/core/tool/tool.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { getEventsAvailability } from "../../src/tools/calendar/get-events-availability.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeCalendar } from "../servers/caldav.ts";
import { startCalendarServers } from "../servers/calendar-servers.ts";
import { missingServers } from "../servers/servers.ts";

// Busy times of one month in a calendar of 5 000 events, 500 of them recurring: against fetching everything and expanding
// it, on the same server in the same run. Requests are counted by a proxy.

const singles = 4_500;
const recurring = 500;
const repeats = 9;
const zone = "Europe/Berlin";
const reader = ianaZone(zone)!;
const first = Date.UTC(2024, 0, 1);
const month = { start: "2026-11-01", end: "2026-12-01", timeZone: zone };

const basic = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function eventText(number: number): string {
  const start = first + (number % 1_095) * dayMs + (8 + (number % 9)) * 3_600_000;
  const rules = ["FREQ=WEEKLY", "FREQ=DAILY;BYDAY=MO,TU", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=YEARLY"];
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//bench//EN",
    "BEGIN:VEVENT",
    `UID:bench-${number}@example.org`,
    "DTSTAMP:20240101T000000Z",
    `DTSTART;TZID=${zone}:${basic(start)}`,
    "DURATION:PT1H",
    ...(number < recurring ? [`RRULE:${rules[number % rules.length]}`] : []),
    `SUMMARY:Event ${number}`,
    `DESCRIPTION:${"words ".repeat(30)}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

async function countingProxy(target: string) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    seen.push(method);
    const { host: _host, ...rest } = headers;
    const upstream = forward(`${target}${url}`, { method, headers: rest }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    request.pipe(upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, close: () => void (server.closeAllConnections(), server.close()) };
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const before = performance.now();
  const result = await work();
  return { ms: performance.now() - before, result };
}

const missing = missingServers().map(({ name }) => name);
const { servers, stop } = await startCalendarServers(missing);
const server = servers.cyrus ?? servers.radicale;
if (server === undefined) throw new Error("There is no CalDAV server: npm run test:servers");
const proxy = await countingProxy(server.url);
try {
  const own = await makeCalendar(server);
  for (let number = 0; number < singles + recurring; number += 1) {
    await own.put(`${number}.ics`, eventText(number));
  }
  const settings = {
    url: proxy.url,
    username: "alice",
    auth: { kind: "basic", password: new Secret("secret") },
    calendar: own.name,
    allowedHosts: [],
    log: quietLog,
  } as const;
  const objects = createCollection(settings);
  const calendar = createCalendar({
    objects,
    ledger: createFakeEventLedger(),
    key: new Uint8Array(32),
  });
  // Only what the tool needs is there.
  const context = {
    ports: { calendar } as unknown as Ports,
    principal: "bench",
    callId: "bench",
    version: undefined,
    signal: new AbortController().signal,
    cancellation: new AbortController().signal,
  } satisfies ExecuteContext<Ports>;
  const ask = () => getEventsAvailability.execute(month, context);
  const count = (): string => `${proxy.seen.length} (${proxy.seen.splice(0).join(", ")})`;

  const start = await timed(ask);
  const firstRequests = count();
  const again: number[] = [];
  for (let run = 0; run < repeats; run += 1) again.push((await timed(ask)).ms);
  const againRequests = proxy.seen.length / repeats;
  proxy.seen.length = 0;

  // The very first call also loads and compiles code. These calls use a fresh connection in a warm process.
  const fresh: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const anew = createCalendar({
      objects: createCollection(settings),
      ledger: createFakeEventLedger(),
      key: new Uint8Array(32),
    });
    const ports = { calendar: anew } as unknown as Ports;
    fresh.push((await timed(() => getEventsAvailability.execute(month, { ...context, ports }))).ms);
  }
  proxy.seen.length = 0;

  const everything: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const fresh = createCollection(settings);
    const { ms } = await timed(async () => {
      const all = await fresh.between(new Date("2000-01-01"), new Date("2100-01-01"));
      const window = { from: Date.UTC(2026, 10), to: Date.UTC(2026, 11), reader };
      return all.flatMap(({ text }) =>
        readCalendarFile(text).series.flatMap((series) => expandSeries(series, window, 5_000)),
      ).length;
    });
    everything.push(ms);
  }
  const slots = (start.result["busy"] as unknown[]).length;
  console.log(
    `${server.name}, ${singles + recurring} events, ${recurring} recurring; ${slots} busy slots in the month.\n`,
  );
  console.log("| what | ms | requests | against everything |\n|---|---|---|---|");
  const all = median(everything);
  console.log(
    `| the very first call, with loading | ${start.ms.toFixed(0)} | ${firstRequests} | ${(all / start.ms).toFixed(1)} x faster |`,
  );
  console.log(
    `| a fresh connection, with discovery | ${median(fresh).toFixed(0)} | 6 | ${(all / median(fresh)).toFixed(1)} x faster |`,
  );
  const ratio = all / median(again);
  console.log(
    `| repeated | ${median(again).toFixed(1)} | ${againRequests} | ${ratio.toFixed(1)} x faster |`,
  );
  console.log(`| fetch everything, then expand | ${all.toFixed(0)} | - | 1 x |`);
  if (ratio < 5 || againRequests > 1) process.exitCode = 1;
} finally {
  proxy.close();
  await stop();
}
