import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { codeOf } from "../error-code.ts";
import { SandboxLimitError } from "./sandbox-error.ts";

const reply = z.object({ value: z.unknown(), error: z.string().optional(), cpuMs: z.number() });

/** A program's answer. */
export interface SandboxReply {
  readonly value: unknown;
  /** The CPU time of the request, in milliseconds. */
  readonly cpuMs: number;
}

/** Options of a sandbox's thread. */
export interface SandboxProgram {
  /** The program file, which calls `serveSandbox`. */
  readonly program: URL;
  /** The time limit of a request, in milliseconds. */
  readonly timeoutMs: number;
  /** The heap limit of the program, in MiB. */
  readonly memoryMb: number;
}

/** A worker thread that starts on first use, and again after a request that ended it. */
export interface SandboxThread {
  /** Sends one request; the next must wait for the answer. @throws SandboxLimitError; Error of the program */
  send(request: unknown): Promise<SandboxReply>;
  close(): Promise<void>;
}

/** Creates a thread. It gets no environment variables, and so no secrets. */
export function createSandboxThread({ program, timeoutMs, memoryMb }: SandboxProgram): SandboxThread {
  let worker: Worker | undefined;

  async function start(): Promise<Worker> {
    const started = new Worker(program, { env: {}, resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    started.unref();
    // `once` rejects when the thread fails while it starts.
    await once(started, "message");
    started.on("exit", () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return {
    async send(request) {
      worker ??= await start();
      try {
        const { value, error, cpuMs } = reply.parse(await exchange(worker, request, timeoutMs));
        if (error !== undefined) throw new Error(`A sandbox's program failed: ${error}`);
        return { value, cpuMs };
      } catch (error) {
        if (error instanceof SandboxLimitError) await end();
        throw error;
      }
    },
    close: end,
  };
}

function exchange(thread: Worker, request: unknown, timeoutMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // An answer that arrived while this thread was busy is handled before the time-out.
  const timer = setTimeout(() => setImmediate(() => reject(new SandboxLimitError("time"))), timeoutMs);
  const fail = (error: unknown) => reject(asLimit(error));
  const exit = (code: number) => reject(new Error(`A sandbox's thread ended with ${code} and without an answer.`));
  thread.on("message", resolve).on("error", fail).on("exit", exit);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread, not a window
    thread.postMessage(request);
  } catch (error) {
    reject(error instanceof RangeError ? new SandboxLimitError("nesting", { cause: error }) : error);
  }
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off("message", resolve).off("error", fail).off("exit", exit);
  });
}

function asLimit(error: unknown): unknown {
  const isMemory = codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? new SandboxLimitError("memory", { cause: error }) : error;
}
