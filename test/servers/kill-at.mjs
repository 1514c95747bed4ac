// Loaded into a process under test by `--import`: ends it as SIGKILL does, the moment it hears that something is done. It
// hears that from its threads (what a database wrote, what was parsed) and from an S3 server. KILL_AT counts from 1.
import { subscribe } from "node:diagnostics_channel";
import { isMainThread, Worker } from "node:worker_threads";

if (isMainThread && process.env.KILL_AT !== undefined) {
  let left = Number(process.env.KILL_AT);
  const heard = () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
  const on = Reflect.get(Worker.prototype, "on");
  Worker.prototype.on = function (event, listener) {
    return on.call(this, event, (...details) => {
      if (event === "message") heard();
      listener.apply(this, details);
    });
  };
  subscribe("http.client.response.finish", heard);
  // fetch: a libSQL server.
  subscribe("undici:request:trailers", heard);
}
