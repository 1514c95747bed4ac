import { randomBytes } from "node:crypto";
import { recordBestEffort } from "../../core/audit/audit.ts";
import { randomId } from "../../core/shared/digest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { withStores } from "../compose/with-stores.ts";
import { openBrowser, openerFor } from "../page/open-browser.ts";
import { listenForReturn } from "./return-address.ts";
import { serverNamed } from "./server-named.ts";
import { signInStore } from "./sign-in-file.ts";
import { ownCommand } from "../platform/own-command.ts";
import { userName } from "../platform/this-user.ts";

/** Signs in at a server over HTTP, in the person's browser. The tokens are stored encrypted. */
export async function loginServer(
  name: string,
  { envFile }: { envFile: string | undefined },
): Promise<number> {
  return await withStores(envFile, async ({ config, stores }) => {
    const { target } = serverNamed(name, config, envFile);
    if (target.kind !== "http") {
      throw new ToolError(
        "invalid_input",
        `The server ${name} is a program on this machine. Only a server with "url" has a sign-in. No sign-in was stored.`,
      );
    }
    const { url, oauth: registered } = target;
    const { signIn } = await import("../../adapters/mcp-client/sign-in/sign-in.ts");
    const back = await listenForReturn(registered?.port);
    let stopReading = (): void => undefined;
    try {
      await signIn({
        server: name,
        url,
        registered,
        store: signInStore(config.dataDir, { name, url }),
        back,
        state: randomBytes(32).toString("base64url"),
        show: async (page) => {
          console.log(`Open this page in a browser, and sign in:\n${page.href}`);
          if (process.stdin.isTTY) {
            console.log(
              "If the browser is on another machine, it ends with an error. Then paste its address here, and press Enter.",
            );
            stopReading = back.readPasted(process.stdin, console.log, process.stdout);
          }
          const opener = openerFor(config.approvals.open);
          if (opener !== undefined) await openBrowser(opener, page.href).catch(() => undefined);
        },
      });
    } finally {
      stopReading();
      back.close();
    }
    await recordBestEffort(stores.audit, {
      type: "decided",
      at: new Date(),
      callId: randomId("sign-in"),
      principal: "local",
      client: "terminal",
      tool: "servers",
      sentence: `signed in at the server ${name}`,
      outcome: `signed in by ${userName()}`,
    });
    console.log(
      `You are signed in at ${name}. Run: ${ownCommand()} servers review ${name}, unless its tools were reviewed.`,
    );
    return 0;
  });
}
