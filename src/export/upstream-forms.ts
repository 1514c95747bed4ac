import type { ToolContract } from "../core/tool/tool.ts";
import type { Data } from "../core/shared/data.ts";

/** A tool of an upstream server, whose JSON Schema may have any keyword. */
type UpstreamContract = ToolContract<never> & Required<Pick<ToolContract<never>, "schemas">>;

export function isUpstream(tool: ToolContract<never>): tool is UpstreamContract {
  return tool.schemas !== undefined;
}

/** The forms of an upstream tool. Each provider gets the listed schema. */
export const upstreamForms = {
  mcp: ({ name, title, description, risk, schemas }) => ({
    name,
    title,
    description,
    inputSchema: schemas.input,
    annotations: schemas.annotations,
    _meta: { "dev.countersign/risk": risk },
  }),
  // Strict mode takes few keywords.
  openai: ({ name, description, schemas }) => ({
    type: "function",
    name,
    description,
    strict: false,
    parameters: schemas.input,
  }),
  anthropic: ({ name, description, schemas }) => ({
    name,
    description,
    input_schema: schemas.input,
  }),
  gemini: ({ name, description, schemas }) => ({
    name,
    description,
    parametersJsonSchema: schemas.input,
  }),
  ollama: ({ name, description, schemas }) => ({
    type: "function",
    function: { name, description, parameters: schemas.input },
  }),
  "ai-sdk": ({ title, description, schemas }) => ({
    title,
    description,
    inputSchema: schemas.input,
  }),
} satisfies Record<string, (tool: UpstreamContract) => Data>;
