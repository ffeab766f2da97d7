import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { z } from "zod";
import { createSemaphore } from "./semaphore.ts";

/** More threads would only compete for the cores, and need memory. */
const places = createSemaphore(availableParallelism());

/** Options of {@link runInWorker}. */
export interface WorkerJob<T> {
  /** The program's `workerData`. */
  readonly input: unknown;
  /** Validates the program's message. */
  readonly output: z.ZodType<T>;
  /** Terminates the thread, even in an endless loop. */
  readonly signal: AbortSignal;
  /** The thread's heap limit, in MiB. */
  readonly memoryMb: number;
}

/**
 * Runs a program on untrusted data in a worker thread, so that the data can neither block nor crash this process. The
 * program posts one message, its result. At most one thread per core runs at a time.
 * @param program the file of the program
 * @throws Error of the program; the signal's reason
 */
export async function runInWorker<T>(program: URL, job: WorkerJob<T>): Promise<T> {
  job.signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(job.signal.reason);
  job.signal.addEventListener("abort", abort);
  try {
    return await Promise.race([places.run(() => startWorker(program, { ...job, aborted })), aborted]);
  } finally {
    job.signal.removeEventListener("abort", abort);
  }
}

async function startWorker<T>(
  program: URL,
  { input, output, signal, memoryMb, aborted }: WorkerJob<T> & { readonly aborted: Promise<never> },
): Promise<T> {
  signal.throwIfAborted();
  // Without the environment, which holds keys.
  const worker = new Worker(program, {
    workerData: input,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The thread ended with ${code} and without a result.`)));
  try {
    return output.parse(await Promise.race([promise, aborted]));
  } finally {
    await worker.terminate();
  }
}
