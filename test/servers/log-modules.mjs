// Loaded into a process under test by `--import`: names each module that is loaded, on stderr.
import { register } from "node:module";

const hooks = `
  import { writeSync } from "node:fs";
  export async function load(url, context, next) {
    writeSync(2, "loaded " + url + "\\n");
    return await next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
