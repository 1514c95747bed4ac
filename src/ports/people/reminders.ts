/** A reminder as its owner sees it. */
export interface Reminder {
  reminderId: string;
  text: string;
  /** The next delivery. Undefined after the last one. */
  dueAt: Date | undefined;
  timeZone: string;
  /** An RRULE's value. */
  recurrence: string | undefined;
  /** The time of a delivery whose result is unknown. The message may not have arrived, and is sent again. */
  unconfirmed: Date | undefined;
}

export interface NewReminder {
  text: string;
  at: Date;
  /** IANA name. The recurrence rule follows this zone's wall clock. */
  timeZone: string;
  recurrence: string | undefined;
}

/**
 * The reminders of each caller. They are delivered in the caller's own Telegram chat. Errors: `not_configured` if the
 * caller has no chat, `invalid_input`, `unavailable`.
 */
export interface Reminders {
  /** The person's time zone, for times without one. */
  timeZone: string;
  add(principal: string, reminder: NewReminder): Promise<Reminder>;
  /** Returns the reminders, the earliest first. */
  list(principal: string): Promise<readonly Reminder[]>;
  /** @throws {ToolError} `not_found` for any id of another caller */
  find(principal: string, reminderId: string): Promise<Reminder>;
  /** @throws {ToolError} `not_found` */
  cancel(principal: string, reminderId: string): Promise<void>;
}

/** A delivery that this process has claimed. */
export interface DueReminder {
  reminderId: string;
  principal: string;
  text: string;
  /** The scheduled time. */
  at: Date;
  /** The time of the next delivery. */
  next: Date | undefined;
  /** True if an earlier attempt may have sent the message. The repeated message then says so. */
  isRepeated: boolean;
}

/** The deliveries of reminders, for the leader. Errors: `unavailable`. */
export interface DueReminders {
  /**
   * Claims one delivery, the earliest first. A claimed delivery without a result, for example after a crash, is
   * returned again at most twice.
   * @param except callers whose reminders are skipped
   */
  take(except: readonly string[]): Promise<DueReminder | undefined>;
  /** Records that the message was sent. */
  sent(reminder: DueReminder): Promise<void>;
  /** Makes a delivery due again, because this attempt certainly did not send it. */
  release(reminder: DueReminder): Promise<void>;
}
