import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

// What receiving and reading a mail costs at the least: nothing is kept.
async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  await PostalMime.parse(Buffer.concat(chunks));
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  onData: (stream, _session, answer) => {
    read(stream).then(() => answer(null, "Read"), answer);
  },
});
server.listen(0, "127.0.0.1", () => {
  console.error(`Accepting mail at smtp://127.0.0.1:${server.server.address().port} for everybody`);
});
