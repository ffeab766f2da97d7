import { createFairLimiter, SlotTimeoutError } from "../async/fair-limiter.ts";
import { createCpuBudget } from "./cpu-budget.ts";
import type { CpuBudgetLimits } from "./cpu-budget.ts";
import { SandboxLimitError } from "./sandbox-error.ts";
import { createSandboxThread } from "./sandbox-thread.ts";
import type { SandboxProgram } from "./sandbox-thread.ts";

/** A program for input that can make it run forever, and its limits. */
export interface SandboxOptions extends SandboxProgram {
  /** How long a request waits for its turn, in milliseconds. */
  readonly queueMs: number;
  /** The CPU budget per key. */
  readonly cpu: CpuBudgetLimits;
}

/**
 * Runs a program on untrusted input in a worker, one request at a time. Keys alternate, and each has a CPU budget, so a
 * key delays the others by at most one request.
 */
export interface Sandbox {
  /**
   * Sends a request to the program and returns its answer. A request that takes too long ends the worker; waiting
   * requests go to the next one.
   * @param key the owner of the request: a workspace
   * @throws SandboxLimitError; Error when the program failed
   */
  run(key: string, request: unknown): Promise<unknown>;
  /** Ends the worker and rejects waiting requests. */
  close(): Promise<void>;
}

/** Creates a sandbox; its worker starts with the first request. */
export function createSandbox({ queueMs, cpu, ...program }: SandboxOptions): Sandbox {
  const thread = createSandboxThread(program);
  const budget = createCpuBudget(cpu);
  const closing = new AbortController();
  // The second queue holds at most one request per key, so the keys alternate there.
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
        throw error instanceof SlotTimeoutError ? new SandboxLimitError("queue", { cause: error }) : error;
      }
    },
    async close() {
      closing.abort(new Error("The sandbox is closed."));
      await thread.close();
    },
  };
}
