import { z } from "zod";

/** One segment: any of the characters, but neither `.` nor `..`. Without look-ahead, which providers' strict modes refuse. */
const segment = "(?:[A-Za-z0-9_-]|\\.[A-Za-z0-9_-]|\\.\\.[A-Za-z0-9._-])[A-Za-z0-9._-]*";

const form = new RegExp(`^${segment}(?:/${segment})*$`);

/**
 * Whether a key is one that the file tools take. Those hold no spaces and so no prose: a model needs them as they are. What
 * else lies in a bucket was put there by others.
 */
export function isFileKey(key: string): boolean {
  return key.length <= 512 && form.test(key);
}

/** The key of a file: at most 512 characters, and never a path on anybody's disk (PRODUCT section 2). */
export const fileKey = z
  .string()
  .max(512)
  .regex(form, {
    error:
      "only letters, digits and . _ - / are allowed, without a leading, trailing or doubled slash and without . or .. between slashes",
  })
  .describe("Like notes/plan.md");
