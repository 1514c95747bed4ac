import { readFileSync, readdirSync } from "node:fs";

/** A process and the time of its start, because the system uses ids again. */
interface SystemProcess {
  readonly pid: number;
  readonly startedAt: string;
}

/** Processes of one tree. A server could start more, and the search must end. */
const maxProcesses = 1_000;

/**
 * The processes that a server started, including those that left its process group. A process that was found once is
 * remembered after its parent ended. They are found on Linux only (proc(5), `/proc/PID/task/TID/children`).
 */
export class ProcessTree {
  readonly #root: number;
  readonly #proc: string;
  #known: readonly SystemProcess[] = [];

  /** @param proc where the system describes its processes */
  constructor(root: number, proc = "/proc") {
    this.#root = root;
    this.#proc = proc;
  }

  /** Looks for new processes. Call it while their parents still run. */
  look(): void {
    const found = new Map<number, SystemProcess>();
    const pending = [this.#root];
    for (const each of this.#known) {
      if (!this.#isSame(each)) continue;
      found.set(each.pid, each);
      pending.push(each.pid);
    }
    for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
      for (const child of childrenOf(this.#proc, pid)) {
        const startedAt = startOf(this.#proc, child);
        if (startedAt === undefined || found.has(child) || found.size >= maxProcesses) continue;
        found.set(child, { pid: child, startedAt });
        pending.push(child);
      }
    }
    this.#known = [...found.values()];
  }

  /** Signals every process that was found and still runs. */
  signal(signal: NodeJS.Signals): void {
    this.look();
    for (const each of this.#known) {
      if (!this.#isSame(each)) continue;
      try {
        process.kill(each.pid, signal);
      } catch {
        // The process has ended, or runs as another user.
        continue;
      }
    }
  }

  #isSame({ pid, startedAt }: SystemProcess): boolean {
    return startOf(this.#proc, pid) === startedAt;
  }
}

/** Returns the start of a process, or undefined if it has ended (proc_pid_stat(5), fields 3 and 22). */
function startOf(proc: string, pid: number): string | undefined {
  const stat = read(`${proc}/${pid}/stat`);
  // The name of the program is in parentheses and may contain any character.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" ? undefined : fields?.[19];
}

/** Returns the children of all threads of a process. */
function childrenOf(proc: string, pid: number): number[] {
  return names(`${proc}/${pid}/task`)
    .flatMap((thread) => read(`${proc}/${pid}/task/${thread}/children`)?.trim().split(" ") ?? [])
    .filter((child) => child !== "")
    .map(Number);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function names(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
