import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredSpec,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
  acceptedContent,
  inputRequired,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { said } from "./content-tools.ts";

type Asks = NonNullable<InputRequiredSpec["inputRequests"]>;

function form(message: string, ...names: string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: names },
  });
}

function sampling(text: string) {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens: 100,
  });
}

const named = z.object({ name: z.string() });

/** Tools whose first round asks and whose second answers, without state. */
const twoRounds: Record<string, Asks> = {
  test_input_required_result_sampling: {
    capital_question: sampling("What is the capital of France?"),
  },
  test_input_required_result_list_roots: { client_roots: inputRequired.listRoots() },
  test_missing_capability: { thought: sampling("Think") },
  test_streaming_elicitation: { more: form("More?", "more") },
};

const confirm = inputRequired.elicit({
  message: "Please confirm",
  requestedSchema: {
    type: "object",
    properties: { ok: { type: "boolean" } },
    required: ["ok"],
  },
});

/** The same with a state that has to come back whole. */
const twoRoundsWithState: Record<string, Asks> = {
  test_input_required_result_request_state: { confirm },
  test_input_required_result_tampered_state: { confirm },
  test_input_required_result_multiple_inputs: {
    user_name: form("What is your name?", "name"),
    greeting: sampling("Generate a greeting"),
    client_roots: inputRequired.listRoots(),
  },
};

export function addQuestionTools(
  server: McpServer,
  states: RequestStateCodec<{ step: number }>,
): void {
  const answers = (ctx: ServerContext): Record<string, unknown> => ctx.mcpReq.inputResponses ?? {};

  server.registerTool(
    "test_input_required_result_elicitation",
    { description: "Asks for a name" },
    (ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, "user_name", named);
      if (answer !== undefined) return said(`Hello, ${answer.name}!`);
      return inputRequired({ inputRequests: { user_name: form("What is your name?", "name") } });
    },
  );
  for (const [name, inputRequests] of Object.entries(twoRounds)) {
    server.registerTool(name, { description: "Asks once" }, (ctx) => {
      const missing = Object.keys(inputRequests).some((key) => !(key in answers(ctx)));
      return missing ? inputRequired({ inputRequests }) : said(JSON.stringify(answers(ctx)));
    });
  }
  for (const [name, inputRequests] of Object.entries(twoRoundsWithState)) {
    server.registerTool(name, { description: "Asks once, with a state" }, async (ctx) => {
      if (ctx.mcpReq.requestState() !== undefined) return said("state-ok");
      const requestState = await states.mint({ step: 1 }, ctx);
      return inputRequired({ inputRequests, requestState });
    });
  }
  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks twice" },
    async (ctx) => {
      const step = (ctx.mcpReq.requestState<{ step: number }>()?.step ?? 0) + 1;
      const asks: Record<number, Asks> = {
        1: { step1: form("Step 1: What is your name?", "name") },
        2: { step2: form("Step 2: What is your favorite color?", "color") },
      };
      const inputRequests = asks[step];
      if (inputRequests === undefined) return said("done");
      return inputRequired({ inputRequests, requestState: await states.mint({ step }, ctx) });
    },
  );
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks only what the client can do" },
    (ctx) => {
      const envelope: Readonly<Record<string, unknown>> = ctx.mcpReq.envelope ?? {};
      const can = z.looseObject({}).catch({}).parse(envelope[CLIENT_CAPABILITIES_META_KEY]);
      const inputRequests: Asks = {
        ...("sampling" in can && { thought: sampling("Think") }),
        ...("elicitation" in can && { user_name: form("What is your name?", "name") }),
      };
      return inputRequired({ inputRequests });
    },
  );
  addCallbacks(server);
}

/** Sends the question that a 2025 server asks while the call is open. */
function addCallbacks(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "Asks the model", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const { content } = await ctx.mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return said(`LLM response: ${JSON.stringify(content)}`);
    },
  );
  const ask = async (ctx: ServerContext, params: ElicitRequestFormParams, lead: string) => {
    const { action, content } = await ctx.mcpReq.elicitInput(params);
    return said(`${lead}: action=${action}, content=${JSON.stringify(content ?? {})}`);
  };
  server.registerTool(
    "test_elicitation",
    { description: "Asks the person", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, ctx) => {
      const properties = {
        username: { type: "string" as const, description: "User's response" },
        email: { type: "string" as const, description: "User's email address" },
      };
      const required = Object.keys(properties);
      const requestedSchema = { type: "object" as const, properties, required };
      return await ask(ctx, { message, requestedSchema }, "User response");
    },
  );
  for (const [name, properties] of Object.entries(forms)) {
    server.registerTool(name, { description: "Asks with a form" }, async (ctx) =>
      ask(
        ctx,
        { message: "Please fill in the form", requestedSchema: { type: "object", properties } },
        "Elicitation completed",
      ),
    );
  }
}

const options = ["option1", "option2", "option3"];
const titled = (word: string) =>
  ["First", "Second", "Third"].map((nth, index) => ({
    const: `value${index + 1}`,
    title: `${nth} ${word}`,
  }));

const forms: Record<string, ElicitRequestFormParams["requestedSchema"]["properties"]> = {
  test_elicitation_sep1034_defaults: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  },
};
