import { Secret } from "../../core/shared/secret.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { PromptCancelled, personAtTerminal } from "../../setup/person.ts";
import { flag } from "../command-line/options.ts";
import { firstLine } from "../approvals/proven-person.ts";
import { isAtTerminal } from "../platform/ask-line.ts";

/** The least length of a passphrase, because a copied file can be tried without a limit. Characters. */
const fewest = 10;

export const passphraseStdin = flag("read the passphrase from standard input, for scripts");

/** Asks for the passphrase of a new backup, twice, because a mistyped one would make the backup useless. */
export async function newPassphrase(fromStdin: boolean): Promise<Secret> {
  const tooShort = (text: string): string | undefined =>
    text.length < fewest ? `Use at least ${fewest} characters.` : undefined;
  if (fromStdin) {
    const given = await firstLine();
    const problem = tooShort(given);
    if (problem === undefined) return new Secret(given);
    throw new ToolError("invalid_input", `The passphrase is too short. ${problem}`);
  }
  const person = atTerminal();
  return await orCancelled(async () => {
    const first = await person.writeSecret("Passphrase of the backup", tooShort);
    await person.writeSecret("Repeat the passphrase", (text) =>
      text === first ? undefined : "The passphrases differ.",
    );
    return new Secret(first);
  });
}

/** Asks for the passphrase of an existing backup. */
export async function knownPassphrase(fromStdin: boolean): Promise<Secret> {
  if (fromStdin) return new Secret(await firstLine());
  const person = atTerminal();
  return await orCancelled(
    async () => new Secret(await person.writeSecret("Passphrase of the backup", () => undefined)),
  );
}

/** Ends the command with one sentence after Ctrl-C. */
async function orCancelled(ask: () => Promise<Secret>): Promise<Secret> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PromptCancelled)) throw error;
    throw new ToolError("cancelled", "Cancelled. Nothing was done.", { cause: error });
  }
}

function atTerminal(): ReturnType<typeof personAtTerminal> {
  if (isAtTerminal()) return personAtTerminal();
  throw new ToolError(
    "forbidden",
    "Type the passphrase at a terminal, or use --passphrase-stdin. Nothing was done.",
  );
}
