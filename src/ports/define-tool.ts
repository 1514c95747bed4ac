import { toolDefiner } from "../core/tool.ts";
import type { Ports } from "./ports.ts";

export const { defineTool } = toolDefiner<Ports>();
