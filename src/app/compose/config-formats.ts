import { jsoncFormat } from "../../adapters/jsonc/format.ts";
import { tomlFormat } from "../../adapters/toml/format.ts";
import { yamlFormat } from "../../adapters/yaml/format.ts";
import type { ConfigFormats } from "../../setup/clients/client.ts";

export const configFormats: ConfigFormats = {
  json: jsoncFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
};
