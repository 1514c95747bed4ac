/**
 * A wall-clock time: milliseconds since 1970 as if the wall clock showed UTC. Arithmetic on it is calendar arithmetic,
 * free of daylight saving. Only `wallToUtc` turns it into an instant.
 */
export type WallTime = number;

/** A time zone: the offset of its wall clock from UTC at every instant. */
export interface TimeZone {
  /** An IANA name, or the TZID from a calendar file. */
  readonly name: string;
  /** Milliseconds to add to UTC. */
  offsetAt(utc: number): number;
}

export const dayMs = 86_400_000;

interface Change {
  at: number;
  offset: number;
}

/** Years with reliable Intl tables. Outside them the offsets of the nearest year apply. */
const firstYear = 1900;
const lastYear = 2200;
/**
 * Distance of samples. The shortest time between two offset changes of one zone is four weeks (Morocco in Ramadan), so
 * weekly samples find all changes. Milliseconds.
 */
const sampleStep = 7 * dayMs;

/** The current IANA names of zones that Intl reports under former names. People know their zone by the current name. */
const presentNames: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

const zones = new Map<string, TimeZone | undefined>();

export const utcZone: TimeZone = { name: "UTC", offsetAt: () => 0 };

/** Returns the zone of an IANA name, in upper or lower case. Undefined if this machine does not know it. */
export function ianaZone(name: string): TimeZone | undefined {
  const key = name.toLowerCase();
  if (!zones.has(key)) zones.set(key, makeZone(name));
  return zones.get(key);
}

/** Returns the IANA name of this machine's zone, which is the default. UTC if the system's `TZ` has no such name. */
export function machineZone(): string {
  return nameOf(new Intl.DateTimeFormat());
}

function nameOf(format: Intl.DateTimeFormat): string {
  // Absent for a `TZ` such as `/etc/localtime` or `Mars/Olympus`, against the declared type.
  const options: { timeZone?: string } = format.resolvedOptions();
  const timeZone = options.timeZone ?? utcZone.name;
  return presentNames[timeZone] ?? timeZone;
}

/**
 * Creates a formatter for this machine's zone. The format is built at first use, because `TZ` may be set after the
 * imports.
 */
export function inMachineZone(options: Intl.DateTimeFormatOptions): (at: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => (format ??= new Intl.DateTimeFormat("en-GB", options)).format(at);
}

/**
 * Returns the instant of a wall-clock time. A repeated time means the first of the two. A skipped time is read with the
 * offset before the gap (RFC 5545 section 3.3.5).
 */
export function wallToUtc(wall: WallTime, zone: TimeZone): number {
  const before = zone.offsetAt(wall - dayMs);
  const after = zone.offsetAt(wall + dayMs);
  const early = wall - before;
  if (before === after || zone.offsetAt(early) === before) return early;
  const late = wall - after;
  return zone.offsetAt(late) === after ? late : early;
}

/** Returns the instants of a wall-clock time in order: none if the clocks skip it, two if it is repeated. */
export function instantsOf(wall: WallTime, zone: TimeZone): number[] {
  const offsets = new Set([zone.offsetAt(wall - dayMs), zone.offsetAt(wall + dayMs)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((utc) => utcToWall(utc, zone) === wall)
    .toSorted((one, other) => one - other);
}

export function utcToWall(utc: number, zone: TimeZone): WallTime {
  return utc + zone.offsetAt(utc);
}

/** Formats an instant as `2026-11-23T09:00:00+01:00`. */
export function isoInZone(at: Date, zone: TimeZone): string {
  const offset = zone.offsetAt(at.getTime());
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const sign = offset < 0 ? "-" : "+";
  const two = (value: number): string => String(value).padStart(2, "0");
  const local = new Date(at.getTime() + offset).toISOString().slice(0, 19);
  return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Formats the date of a wall-clock time as `2026-11-23`. */
export function isoDate(wall: WallTime): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** Returns the midnight of a `YYYY-MM-DD`, or undefined if that day does not exist. */
export function dateToWall(date: string): WallTime | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const wall = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(wall) || isoDate(wall) !== date ? undefined : wall;
}

function makeZone(name: string): TimeZone | undefined {
  // Intl also accepts bare offsets such as "+01:00". They are not places, and calendar programs do not know them.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
      ...({ hour: "numeric", minute: "numeric", second: "numeric" } as const),
    });
  } catch {
    return undefined;
  }
  const years = new Map<number, readonly Change[]>();
  return {
    name: nameOf(format),
    offsetAt: (utc) => {
      const year = Math.min(Math.max(new Date(utc).getUTCFullYear(), firstYear), lastYear);
      let changes = years.get(year);
      if (changes === undefined) years.set(year, (changes = changesOf(year, format)));
      return changes.findLast(({ at }) => at <= utc)?.offset ?? changes[0]?.offset ?? 0;
    },
  };
}

/** Returns the offset at the start of a year and its changes, to the second. */
function changesOf(year: number, format: Intl.DateTimeFormat): Change[] {
  const end = Date.UTC(year + 1, 0);
  let at = Date.UTC(year, 0);
  let offset = offsetBy(format, at);
  const changes = [{ at, offset }];
  while (at < end) {
    const next = Math.min(at + sampleStep, end);
    const nextOffset = offsetBy(format, next);
    if (nextOffset !== offset) {
      let [low, high] = [at, next];
      while (high - low > 1000) {
        const middle = low + Math.floor((high - low) / 2000) * 1000;
        if (offsetBy(format, middle) === offset) low = middle;
        else high = middle;
      }
      offset = nextOffset;
      changes.push({ at: high, offset });
    }
    at = next;
  }
  return changes;
}

function offsetBy(format: Intl.DateTimeFormat, utc: number): number {
  const values = new Map(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => values.get(type) ?? 0;
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(utc / 1000) * 1000;
}
