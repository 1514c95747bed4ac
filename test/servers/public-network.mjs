// A public network of a few names, whose hosts are all one server here. It is loaded into a process under test by
// `--import`, or into the process of a test that runs commands in it (`command-here.ts`).
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";

/**
 * Commands in one process have environments of their own.
 * @type {() => Record<string, string[]>}
 */
const names = () => JSON.parse(process.env.PUBLIC_NAMES ?? "{}");
const { lookup } = dns;
// oxlint-disable-next-line typescript/unbound-method -- called below with the socket as `this`
const { connect } = Socket.prototype;

dns.lookup = (name, options, done) => {
  const found = names()[name];
  if (found === undefined) return lookup(name, options, done);
  const all = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  process.nextTick(() => done(null, all));
};
syncBuiltinESMExports();

Socket.prototype.connect = function connectHere(...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  if (names()[options?.host] === undefined) return connect.apply(this, given);
  const check = options.lookup ?? dns.lookup;
  check(options.host, { all: true }, (error, found) => {
    if (error) return this.destroy(error);
    process.stderr.write(`connected to ${found[0].address}\n`);
    connect.call(this, { port: Number(process.env.PUBLIC_PORT), host: "127.0.0.1" });
  });
  return this;
};
