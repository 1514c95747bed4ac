import { expect, it } from "vitest";
import { systemdUnit } from "../../src/app/service/unit-text.ts";

it("a unit names the program of a path with a dollar sign as it is", () => {
  // systemd expands variables in the arguments alone, so the doubled sign named a missing program.
  const paths = { envFile: "/d$A/.env", dataDir: "/d$A" };
  const text = systemdUnit({ node: "/n$A 1%/node", program: "/p$A/main.js", ...paths }, true);
  expect(text).toContain(
    'ExecStart="/n$A 1%%/node" "/p$$A/main.js" "ingest" "--env-file" "/d$$A/.env"\n',
  );
});
