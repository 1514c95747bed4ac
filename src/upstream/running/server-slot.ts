import type { Log } from "../../core/shared/log.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type {
  ServerEntry,
  UpstreamCall,
  UpstreamResult,
} from "../../ports/upstream/upstream-server.ts";
import { RunningServer, type RunningSettings } from "./running-server.ts";
import type { StartWait } from "./start-wait.ts";

/** A server is stopped after this time without a call. Milliseconds. */
const idleForMs = 600_000;
/** Limit on concurrent calls to one server. More would only fill memory. */
const maxCalls = 64;

/** One configured server: started at its first call, stopped when it is idle, started again after it ended. */
export class ServerSlot {
  readonly #entry: ServerEntry;
  readonly #settings: RunningSettings;
  readonly #wait: StartWait;
  readonly #log: Log;
  #starting: Promise<RunningServer> | undefined;
  /** The same after its start. */
  #running: RunningServer | undefined;
  #calls = 0;
  /** True after the entry changed: there are no new calls, and the end of the last one stops the server. */
  #isRetired = false;
  #isClosing = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(entry: ServerEntry, settings: RunningSettings, wait: StartWait) {
    this.#entry = entry;
    this.#settings = settings;
    this.#wait = wait;
    this.#log = settings.log;
  }

  /** Runs work during which the server is not stopped as idle. @throws ToolError `rate_limited` */
  async using<T>(work: () => Promise<T>): Promise<T> {
    if (this.#calls >= maxCalls) {
      throw new ToolError(
        "rate_limited",
        `The server ${this.#entry.name} is already running ${maxCalls} calls. Nothing was done.`,
        { retryAfterSeconds: 1 },
      );
    }
    this.#calls += 1;
    try {
      return await work();
    } finally {
      this.#calls -= 1;
      this.#restartIdleTimer();
    }
  }

  /**
   * Returns the running server. Its tools are listed again if it says that they changed, or with `relists`.
   * @throws ToolError
   */
  async current(relists: boolean): Promise<RunningServer> {
    const running = await this.#started();
    if (!running.takeListChanged() && !relists) return running;
    try {
      await running.relist();
    } catch (thrown) {
      if (!running.isClosed) throw thrown;
      // The server exited while it was idle. The call was not sent yet, and a new start lists the tools.
      return await this.#started();
    }
    return running;
  }

  /** Sends a call, and notes if the server answers or ends. @throws ToolError */
  async send(running: RunningServer, call: UpstreamCall): Promise<UpstreamResult> {
    try {
      const answer = await running.call(call);
      this.#wait.answered();
      return answer;
    } catch (thrown) {
      this.#noteCrash(running);
      throw thrown;
    }
  }

  /** Stops the server immediately. It starts again at its next call, without a wait for earlier failures. */
  restart(): void {
    this.#wait.reset();
    this.#stop();
  }

  /** Stops the server after its last running call. */
  retire(): void {
    this.#isRetired = true;
    this.#restartIdleTimer();
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#idle);
    await this.#starting?.then((running) => running.close()).catch(() => undefined);
  }

  async #started(): Promise<RunningServer> {
    const { name } = this.#entry;
    if (this.#isClosing)
      throw new ToolError("unavailable", `The server ${name} is being stopped. Nothing was done.`);
    const known = await this.#starting?.catch(() => undefined);
    if (known !== undefined && (await known.isUsable())) return known;
    if (known !== undefined && this.#running === known) this.#stop();
    return await (this.#starting ?? this.#start());
  }

  /** @throws ToolError during the wait after failures, or if the server does not start */
  #start(): Promise<RunningServer> {
    this.#wait.assertOver(this.#entry.name);
    const starting = RunningServer.start(this.#entry, this.#settings);
    this.#starting = starting;
    starting.then(
      (running) => {
        this.#wait.started();
        if (this.#starting === starting) this.#running = running;
      },
      (cause: unknown) => {
        this.#starting = undefined;
        const seconds = cause instanceof ToolError ? (cause.retryAfterSeconds ?? 0) : 0;
        this.#wait.startFailed(seconds * 1_000);
        this.#log.warn("starting an upstream server failed", { server: this.#entry.name, cause });
      },
    );
    return starting;
  }

  /** Notes that the server ended, once for all calls that were running. */
  #noteCrash(running: RunningServer): void {
    if (!running.hasCrashed || this.#running !== running) return;
    this.#stop();
    this.#wait.crashed();
  }

  #stop(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
    const starting = this.#starting;
    this.#starting = undefined;
    this.#running = undefined;
    void starting?.then((running) => running.close()).catch(() => undefined);
  }

  #restartIdleTimer(): void {
    if (this.#isRetired && this.#calls === 0) return this.#stop();
    if (this.#idle !== undefined) return void this.#idle.refresh();
    this.#idle = setTimeout(() => {
      if (this.#calls > 0) this.#restartIdleTimer();
      else this.#stop();
    }, idleForMs);
    this.#idle.unref();
  }
}
