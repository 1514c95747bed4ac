import { describe, expect, it } from "vitest";
import { createScreenText, ownLines } from "../../src/app/chat/screen-text.ts";

const columns = () => 20;

/** Writes an answer character by character. */
function write(text: string, canErase: boolean): string {
  const screen = createScreenText({ columns, canErase });
  return Array.from(text, (piece) => screen.add(piece)).join("");
}

describe("the text of an answer on a screen", () => {
  it("breaks between words, and shows no space there", () => {
    // Seventeen columns are left after the margin. The fourth word is erased and written again.
    const shown = write("one two three four\nfive six seven eig nine", true);
    expect(shown).toBe(
      "  one two three fou\u001B[3D\u001B[K\n  four\n  five six seven ei\u001B[2D\u001B[K\n  eig nine",
    );
    expect(write("one two three abc de", true)).toBe("  one two three abc\n  de");
  });

  it("breaks a word that is too long, and any word without control sequences", () => {
    expect(write("x".repeat(40), true)).toBe(
      `  ${"x".repeat(17)}\n  ${"x".repeat(17)}\n  ${"x".repeat(6)}`,
    );
    expect(write("one two three four", false)).toBe("  one two three fou\n  r");
  });

  it("has a wider margin after the first row of a long line of the program", () => {
    expect(ownLines(`> ${"x".repeat(30)}\nend`, columns)).toBe(
      `> ${"x".repeat(17)}\n    ${"x".repeat(13)}\nend`,
    );
  });
});
