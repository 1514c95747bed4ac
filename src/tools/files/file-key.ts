import { z } from "zod";

/**
 * One segment: these characters, except `.` and `..`. Written without look-ahead, which providers' strict modes reject.
 */
const segment = "(?:[A-Za-z0-9_-]|\\.[A-Za-z0-9_-]|\\.\\.[A-Za-z0-9._-])[A-Za-z0-9._-]*";

const form = new RegExp(`^${segment}(?:/${segment})*$`);

/**
 * Returns whether a key is valid for the file tools. Such a key has no spaces, so it contains no prose, and a model
 * gets it unchanged. Other programs may have stored other keys in the bucket.
 */
export function isFileKey(key: string): boolean {
  return key.length <= 512 && form.test(key);
}

/** The key of a file, at most 512 characters. It is never used as a path on a disk. */
export const fileKey = z
  .string()
  .max(512)
  .regex(form, {
    error:
      "only letters, digits and . _ - / are allowed, without a leading, trailing or doubled slash and without . or .. between slashes",
  })
  .describe("Like notes/plan.md");
