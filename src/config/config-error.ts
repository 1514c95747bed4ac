export interface Problem {
  setting: string;
  /** Continues a sentence that starts with the setting's name; never holds a value. */
  problem: string;
}

/** The settings cannot be used. Names all that is wrong with them at once, so that it is repaired at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly Problem[];

  constructor(problems: Problem[]) {
    const lines = problems.map(({ setting, problem }) => `  ${setting} ${problem}.`);
    super(["The settings cannot be used; nothing was started:", ...lines].join("\n"));
    this.problems = problems;
  }
}
