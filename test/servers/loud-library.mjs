// What libraries print when a server begins to read: a warning, and lines on both streams.
process.stdin.once("newListener", () => {
  process.emitWarning("a library's warning");
  console.warn("a library's line");
  console.info("a library's line");
  console.log("a library's line");
});
