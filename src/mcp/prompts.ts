import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";

/** Longest argument of a prompt. Characters. */
const maxArgumentCharacters = 200;

/** A prompt that a person selects in the client and that is then sent to the model. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string }[];
  /** Returns the prompt's text. Every argument may be absent. */
  text(given: Readonly<Record<string, string>>): string;
}

export function offerPrompts(server: Server, prompts: readonly Prompt[]): void {
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map((argument) => ({ ...argument, required: false })),
    })),
  }));

  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (prompt === undefined) {
      const name = JSON.stringify(params.name.slice(0, 80));
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The prompt ${name} does not exist.`,
      );
    }
    const text = prompt.text(readArguments(prompt, params.arguments ?? {}));
    return {
      description: prompt.description,
      messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    };
  });
}

/** Returns the arguments that the prompt declares. An empty one counts as absent. */
function readArguments(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const known = prompt.arguments.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${prompt.name} accepts ${known.join(", ")} and not ${JSON.stringify(unknown.slice(0, 80))}.`,
    );
  }
  const values = Object.entries(given).map(([name, value]) => [name, value.trim()] as const);
  const long = values.find(([, value]) => value.length > maxArgumentCharacters);
  if (long !== undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${long[0]} is longer than ${maxArgumentCharacters} characters.`,
    );
  }
  return Object.fromEntries(values.filter(([, value]) => value !== ""));
}
