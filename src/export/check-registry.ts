import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { type Registry, registrySchema, registryVersion } from "./registry.ts";

/** Returns the problems of a registry. Checks its form, and every JSON Schema in it with Ajv. */
export function registryProblems(registry: Registry): string[] {
  // zod adds a pattern to every format, so Ajv needs no formats.
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false });
  const hasForm = ajv.compile(z.toJSONSchema(registrySchema));
  const problems = hasForm(registry) ? [] : [`the registry: ${ajv.errorsText(hasForm.errors)}`];
  if (registry.version !== registryVersion(registry.tools))
    problems.push("the version does not match the content");
  for (const { name, input, output, listing } of registry.tools) {
    const schemas = { input, output, listed: listing.inputSchema, answered: listing.outputSchema };
    for (const [which, schema] of Object.entries(schemas)) {
      if (!ajv.validateSchema(schema))
        problems.push(`${name}, ${which}: ${ajv.errorsText(ajv.errors)}`);
    }
  }
  return problems;
}
