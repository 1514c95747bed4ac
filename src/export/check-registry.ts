import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { type Registry, registrySchema, registryVersion } from "./registry.ts";

/** What is wrong with a registry; empty where nothing is. Holds its form and every JSON Schema in it against Ajv. */
export function registryProblems(registry: Registry): string[] {
  // zod writes a pattern beside every format, so that no further package has to know them.
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false });
  const hasForm = ajv.compile(z.toJSONSchema(registrySchema));
  const problems = hasForm(registry) ? [] : [`the registry: ${ajv.errorsText(hasForm.errors)}`];
  if (registry.version !== registryVersion(registry.tools))
    problems.push("the version is not that of the content");
  for (const { name, input, output, listing } of registry.tools) {
    const schemas = { input, output, listed: listing.inputSchema, answered: listing.outputSchema };
    for (const [which, schema] of Object.entries(schemas)) {
      if (!ajv.validateSchema(schema))
        problems.push(`${name}, ${which}: ${ajv.errorsText(ajv.errors)}`);
    }
  }
  return problems;
}
