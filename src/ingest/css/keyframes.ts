import { mostAnimations, secondsOf } from "./animation.ts";
import { type Declaration, longhands } from "./properties.ts";
import { lengthOf } from "./values.ts";

/** One keyframe: its place from 0 to 1, and its values. */
export interface Keyframe {
  at: number;
  values: ReadonlyMap<string, string>;
}

export function keyframeOf(place: string, declarations: readonly Declaration[]): Keyframe[] {
  const values = new Map(declarations.flatMap(longhands));
  return place
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .map((one) => (one === "from" ? 0 : one === "to" ? 1 : lengthOf(one, 1, 1)))
    .filter((at) => at >= 0 && at <= 1)
    .map((at) => ({ at, values }));
}

interface Timing {
  name: string;
  duration: number;
  delay: number;
  count: number;
  fill: string;
  direction: string;
  isPaused: boolean;
}

/** A reader sees the first state of an animation that begins later than this, or that lasts much longer. */
const glanceSeconds = 5;

/**
 * Returns the values of an element's animations in the state that a reader sees longest. This is the last state if it
 * is kept, and the first one while the animation waits. For an endless animation, these are the largest values.
 */
export function animatedValues(
  declared: ReadonlyMap<string, string>,
  keyframes: ReadonlyMap<string, readonly Keyframe[]>,
  spend: (steps: number) => boolean,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const timing of timingsOf(declared)) {
    const frames = keyframes.get(timing.name) ?? [];
    if (!spend(1 + 5 * frames.length)) break;
    for (const [name, value] of lastingValues(frames, timing)) values.set(name, value);
  }
  return values;
}

function lastingValues(frames: readonly Keyframe[], timing: Timing): [string, string][] {
  const { duration, delay, count, fill, isPaused } = timing;
  /** The state after a number of repeats. */
  const stateAt = (repeats: number): [string, string][] => {
    const place = placeAfter(repeats, timing.direction);
    const distances = frames.map(({ at }) => Math.abs(at - place));
    const nearest = Math.min(...distances, farthest);
    return frames.filter((_, at) => distances[at] === nearest).flatMap(({ values }) => [...values]);
  };
  const isEarly = delay > glanceSeconds || (isPaused && delay > 0);
  if (isEarly) return fill === "backwards" || fill === "both" ? stateAt(0) : [];
  if (isPaused && delay < 0 && duration > 0) return stateAt(Math.min(count, -delay / duration));
  if (isPaused || duration > 20 * glanceSeconds) return stateAt(0);
  if (duration * count > 20 * glanceSeconds) return mostVisible(frames);
  return fill === "forwards" || fill === "both" ? stateAt(count) : [];
}

/** A state this far from a keyframe has values between those of two keyframes. */
const farthest = 0.25;

/** Returns the place from 0 to 1 at which a number of repeats ends. */
function placeAfter(repeats: number, direction: string): number {
  const isEnd = repeats > 0 && repeats % 1 === 0;
  const place = isEnd ? 1 : repeats % 1;
  const round = Math.floor(repeats) - (isEnd ? 1 : 0);
  const isTurned = direction.startsWith("alternate") && round % 2 === 1;
  return isTurned !== direction.endsWith("reverse") ? 1 - place : place;
}

/** Returns the largest value of each property that both ends of an animation set. */
function mostVisible(frames: readonly Keyframe[]): [string, string][] {
  const names = [0, 1].map(
    (end) =>
      new Set(frames.filter(({ at }) => at === end).flatMap(({ values }) => [...values.keys()])),
  );
  return [...(names[0] ?? [])].flatMap((name): [string, string][] => {
    if (names[1]?.has(name) !== true) return [];
    const given = frames.flatMap(({ values }) => values.get(name) ?? []);
    const [largest] = given.toSorted((one, other) => sizeOf(other) - sizeOf(one));
    const isSettled = given.every((one) => one === largest || !Number.isNaN(lengthOf(one)));
    return largest === undefined || !isSettled ? [] : [[name, largest]];
  });
}

function sizeOf(value: string): number {
  return lengthOf(value) || 0;
}

function timingsOf(declared: ReadonlyMap<string, string>): Timing[] {
  const names = listOf(declared.get("animation-name"));
  return names.map((name, index) => {
    const of = (property: string): string => {
      const all = listOf(declared.get(`animation-${property}`));
      return all[index % Math.max(1, all.length)] ?? "";
    };
    const count = of("iteration-count");
    return {
      name: name.replace(/^["']|["']$/g, ""),
      duration: secondsOf(of("duration")) ?? 0,
      delay: secondsOf(of("delay")) ?? 0,
      count: count === "infinite" ? Infinity : Number(count || 1),
      fill: of("fill-mode"),
      direction: of("direction"),
      isPaused: of("play-state") === "paused",
    };
  });
}

function listOf(value = ""): string[] {
  return value === ""
    ? []
    : value
        .slice(0, 1_000)
        .split(",", mostAnimations)
        .map((one) => one.trim());
}
