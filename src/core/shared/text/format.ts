const units = ["bytes", "kB", "MB", "GB"];

/** Formats a size as `2.1 kB`, in decimal units as file managers show it. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  if (unit === 0) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Formats an age as `3 days ago` or `yesterday`, in the largest unit that fits. */
export function formatAge(at: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const steps: readonly (readonly [number, string])[] = [
    [86_400, "day"],
    [3_600, "hour"],
    [60, "minute"],
  ];
  for (const [length, name] of steps) {
    const count = Math.floor(seconds / length);
    if (name === "day" && count === 1 && isDayBefore(at, now)) return "yesterday";
    if (count >= 1) return `${count} ${name}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

/** Returns whether a time was yesterday in this machine's time zone. */
function isDayBefore(at: Date, now: Date): boolean {
  const dayBefore = new Date(now);
  dayBefore.setDate(now.getDate() - 1);
  return at.toDateString() === dayBefore.toDateString();
}
