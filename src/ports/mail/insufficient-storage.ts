import { ToolError } from "../../core/tool/tool-error.ts";

/** How long a sender should wait before it tries again, because a person has to free space first. Seconds. */
const retryAfterSeconds = 600;

/** The disk has too little free space for a message. Nothing was stored. */
export class InsufficientStorage extends ToolError {
  constructor() {
    super("unavailable", "The disk has too little free space. The message was not stored.", {
      hint: "Free some space on the disk of COUNTERSIGN_DATA_DIR. Senders will retry.",
      retryAfterSeconds,
    });
    this.name = "InsufficientStorage";
  }
}
