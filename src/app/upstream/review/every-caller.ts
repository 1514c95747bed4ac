/** Every caller gets a server's tools, so only an approver of all callers may review them. */
export const everyCaller = "every caller";
