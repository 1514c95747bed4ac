import { toolDefiner } from "../core/tool/tool.ts";
import type { Ports } from "./ports.ts";

export const { defineContract, defineTool } = toolDefiner<Ports>();
