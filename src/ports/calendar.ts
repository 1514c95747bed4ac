/** The one dedicated calendar. */
export interface Calendar {
  /** Tries the connection; throws what is wrong with it. */
  check(): Promise<void>;
}
