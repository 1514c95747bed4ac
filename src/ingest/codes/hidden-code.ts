/** The text that replaces every hidden sign-in code and reset link. */
export const hiddenCode = "[hidden: sign-in code]";
