import type { Risk } from "./risk.ts";

/** What the user wrote down in advance. Lists and floors only narrow; rules that approve have their place here too. */
export interface Policy {
  /** Tools that are neither listed nor callable. */
  denied: readonly string[];
  /** The least risk that a tool's calls are given, by tool name. */
  riskFloors: Readonly<Record<string, Risk>>;
}

/** No policy file: every tool is as risky as it says. */
export const defaultPolicy: Policy = { denied: [], riskFloors: {} };
