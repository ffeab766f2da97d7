import { createFairLimiter, TurnTimeout } from "../async/fair-limiter.ts";
import { createCpuBudget } from "./cpu-budget.ts";
import type { CpuBudgetLimits } from "./cpu-budget.ts";
import { SandboxLimitError } from "./sandbox-error.ts";
import { createSandboxThread } from "./sandbox-thread.ts";
import type { SandboxProgram } from "./sandbox-thread.ts";

/** A program for input that may be made to take indefinitely, and how its time is shared. */
export interface SandboxOptions extends SandboxProgram {
  /** How long a request waits for its turn, in milliseconds. */
  readonly queueMs: number;
  /** CPU time for each key. */
  readonly cpu: CpuBudgetLimits;
}

/**
 * Runs a program over foreign input in a thread of its own, one request after another. Keys take turns, and each has a
 * budget of CPU time, so that none delays the others by more than one request.
 */
export interface Sandbox {
  /**
   * Sends a request to the program and returns its answer. One that takes too long ends the thread; the requests that
   * wait are sent to the next one.
   * @param key whose request it is: a workspace
   * @throws SandboxLimitError; Error when the program failed.
   */
  run(key: string, request: unknown): Promise<unknown>;
  /** Ends the thread, and with an error the requests that wait. */
  close(): Promise<void>;
}

/** Makes a sandbox, which starts its thread with the first request. */
export function createSandbox({ queueMs, cpu, ...program }: SandboxOptions): Sandbox {
  const thread = createSandboxThread(program);
  const budget = createCpuBudget(cpu);
  const closing = new AbortController();
  // With at most one request of each key in the second queue, the keys alternate there.
  const ofKey = createFairLimiter({ total: Infinity, perKey: 1, timeoutMs: queueMs });
  const ofAll = createFairLimiter({ total: 1, perKey: 1, timeoutMs: queueMs });

  async function send(key: string, request: unknown): Promise<unknown> {
    closing.signal.throwIfAborted();
    try {
      const { value, cpuMs } = await thread.send(request);
      budget.charge(key, cpuMs);
      return value;
    } catch (error) {
      budget.charge(key, program.timeoutMs);
      throw error;
    }
  }

  return {
    async run(key, request) {
      try {
        return await ofKey.take(key, async () => {
          await budget.wait(key, closing.signal);
          return await ofAll.take(key, () => send(key, request));
        });
      } catch (error) {
        throw error instanceof TurnTimeout ? new SandboxLimitError("queue", { cause: error }) : error;
      }
    },
    async close() {
      closing.abort(new Error("The sandbox is closed."));
      await thread.close();
    },
  };
}
