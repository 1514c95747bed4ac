export interface Problem {
  setting: string;
  /** Continues a sentence that starts with the setting's name. Never contains a value. */
  problem: string;
}

/** The settings are invalid. Lists all problems, so that they can be fixed together. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly Problem[];

  constructor(problems: Problem[]) {
    const lines = problems.map(({ setting, problem }) => `  ${setting} ${problem}.`);
    super(["The settings have errors. Nothing was started:", ...lines].join("\n"));
    this.problems = problems;
  }
}
