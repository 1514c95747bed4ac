import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type {
  ConnectUpstream,
  ServerEntry,
  ToolDefinition,
  UpstreamCall,
  UpstreamConnection,
  UpstreamResult,
} from "../../ports/upstream/upstream-server.ts";

/** After a call timed out, the server must answer a ping within this time. Milliseconds. */
const pingWithinMs = 5_000;
/**
 * Bounds of the wait before a list that changed is read again without a call, in milliseconds. The wait doubles each
 * time, and starts again after `longestRelistMs` without a change.
 */
const shortestRelistMs = 200;
const longestRelistMs = 60_000;

export interface RunningSettings {
  connect: ConnectUpstream;
  /** Receives each list of tools, so that changed ones are withheld. */
  listed: (entry: ServerEntry, tools: readonly ToolDefinition[]) => Promise<void>;
  log: Log;
  /** A monotonic clock in milliseconds. */
  now: () => number;
}

/** A server that was started, from its first list of tools to its end. */
export class RunningServer {
  readonly #entry: ServerEntry;
  readonly #connection: UpstreamConnection;
  readonly #settings: RunningSettings;
  #tools: readonly ToolDefinition[] = [];
  /** True after a request timed out, until the server answers again. */
  #isSilent = false;
  /** The ping after a timeout, for which the next calls wait. */
  #ping: Promise<boolean> | undefined;
  /** Number of calls that were sent and not yet answered. */
  #open = 0;
  #isStopped = false;
  #relistAfterMs = shortestRelistMs;
  #willRelist = false;
  /** When the list was last read because it changed. */
  #relistedAt = -Infinity;

  /** Starts a server and lists its tools. @throws ToolError */
  static async start(entry: ServerEntry, settings: RunningSettings): Promise<RunningServer> {
    const connection = await settings.connect(entry);
    const running = new RunningServer(entry, connection, settings);
    try {
      await running.relist();
    } catch (thrown) {
      await connection.close();
      throw thrown;
    }
    connection.onListChanged(() => running.#relistSoon());
    return running;
  }

  private constructor(
    entry: ServerEntry,
    connection: UpstreamConnection,
    settings: RunningSettings,
  ) {
    this.#entry = entry;
    this.#connection = connection;
    this.#settings = settings;
  }

  /** The tools as they were last listed. */
  get tools(): readonly ToolDefinition[] {
    return this.#tools;
  }

  get isClosed(): boolean {
    return this.#connection.isClosed;
  }

  /** True if the server ended, and this program did not stop it. */
  get hasCrashed(): boolean {
    return this.#connection.isClosed && !this.#isStopped;
  }

  /** Returns whether the list of tools may have changed since the last call of this function. */
  takeListChanged(): boolean {
    return this.#connection.takeListChanged();
  }

  /** Lists the tools again. @throws ToolError */
  async relist(): Promise<void> {
    try {
      const tools = await this.#connection.list();
      await this.#settings.listed(this.#entry, tools);
      this.#tools = tools;
    } catch (thrown) {
      this.#noteSilence(thrown);
      throw thrown;
    }
  }

  /**
   * Returns whether calls can be sent. After a timeout, the server is pinged before the next call. While it works on
   * other calls, it may take as long as one of them.
   */
  async isUsable(): Promise<boolean> {
    if (this.isClosed) return false;
    if (!this.#isSilent) return true;
    const withinMs = this.#open > 0 ? this.#entry.timeoutMs : pingWithinMs;
    this.#ping ??= this.#connection.answers(withinMs);
    const isAlive = await this.#ping;
    this.#ping = undefined;
    this.#isSilent = !isAlive;
    return isAlive && !this.isClosed;
  }

  /** Sends one call, and notes whether the server answers. @throws ToolError */
  async call(call: UpstreamCall): Promise<UpstreamResult> {
    this.#open += 1;
    try {
      const answer = await this.#connection.call(call);
      this.#isSilent = false;
      return answer;
    } catch (thrown) {
      this.#noteSilence(thrown);
      throw thrown;
    } finally {
      this.#open -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isStopped = true;
    await this.#connection.close();
  }

  /**
   * Lists the tools soon after the server says that they changed. Without this, a changed tool would be withheld at the
   * next call only, and a person could read a request for it until then.
   */
  #relistSoon(): void {
    if (this.#willRelist) return;
    this.#willRelist = true;
    const isQuiet = this.#settings.now() - this.#relistedAt >= longestRelistMs;
    if (isQuiet) this.#relistAfterMs = shortestRelistMs;
    setTimeout(() => void this.#relistIfChanged(), this.#relistAfterMs).unref();
    this.#relistAfterMs = Math.min(longestRelistMs, this.#relistAfterMs * 2);
  }

  async #relistIfChanged(): Promise<void> {
    this.#willRelist = false;
    this.#relistedAt = this.#settings.now();
    if (this.isClosed || this.#isStopped || !this.takeListChanged()) return;
    try {
      await this.relist();
    } catch (cause) {
      const { log } = this.#settings;
      log.debug("a changed list of tools could not be read", { server: this.#entry.name, cause });
    }
  }

  #noteSilence(thrown: unknown): void {
    if (thrown instanceof ToolError && thrown.kind === "timeout") this.#isSilent = true;
  }
}
