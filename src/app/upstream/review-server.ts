import { fingerprintOf } from "../../core/shared/digest.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ToolDefinition, UpstreamConnection } from "../../ports/upstream/upstream-server.ts";
import { acceptedPins, reviewDigest, reviewOf, reviewText } from "../../upstream/review.ts";
import { provenPerson } from "../page/proven-person.ts";
import { createLog } from "../platform/log.ts";
import { loadSettings } from "../platform/settings.ts";
import { readPins, updatePins } from "./pin-file.ts";
import { hasServersFile, readServersFile } from "./read-servers-file.ts";
import { unknownServer } from "./unknown-server.ts";
import { connector } from "./upstream-runtime.ts";

/** Every caller gets a server's tools, so only an approver of all callers may review them. */
const everyone = "every caller";

/** Starts a server, shows its tools, and offers them after an approver's proof. */
export async function reviewServer(
  name: string,
  options: {
    acceptProposed: boolean;
    secretStdin: boolean;
    json: boolean;
    envFile: string | undefined;
  },
): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const servers = hasServersFile(config) ? readServersFile(config, options.envFile) : [];
  const entry = servers.find((one) => one.name === name);
  if (entry === undefined)
    throw unknownServer(
      name,
      servers.map((one) => one.name),
    );
  if (entry.problem !== undefined)
    throw new ToolError("not_configured", `${entry.problem} Nothing was reviewed.`);
  const connection = await connector(createLog(config.logLevel))(entry);
  const listed = await listOnce(connection);
  const before = readPins(config.dataDir).servers[name];
  const known = before?.identity === entry.identity ? before : undefined;
  const items = reviewOf(entry, known, listed);
  const by = await provenPerson(
    {
      principal: everyone,
      fingerprint: fingerprintOf(name, reviewDigest(items)),
      inFull: `${reviewText(name, items)}\n\nfingerprint: ${fingerprintOf(name, reviewDigest(items))}`,
      question: "Type the fingerprint to offer these tools with these risks",
      nothing: "Nothing was reviewed.",
    },
    { approvers: config.approvals.approvers, secretStdin: options.secretStdin },
  );
  const pins = acceptedPins(entry.identity, items, { by, at: new Date() });
  updatePins(config.dataDir, (all) => ({
    ...all,
    servers: { ...all.servers, [name]: pins },
  }));
  for (const { name: tool, state, risk, definition } of items) {
    console.log(
      options.json
        ? JSON.stringify({ name: tool, tool: definition.name, state, risk })
        : `${tool}: ${state}, ${risk}`,
    );
  }
  return 0;
}

async function listOnce(connection: UpstreamConnection): Promise<readonly ToolDefinition[]> {
  try {
    return await connection.list();
  } finally {
    await connection.close();
  }
}
