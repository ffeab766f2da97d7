import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { z } from "zod";
import { createSemaphore } from "./semaphore.ts";

/** More threads at once would only wait for each other, with their memory. */
const places = createSemaphore(availableParallelism());

/** How {@link runInWorker} runs a program. */
export interface WorkerJob<T> {
  /** What the program finds as `workerData`. */
  readonly input: unknown;
  /** Checks what the program posts. */
  readonly output: z.ZodType<T>;
  /** Ends the thread wherever it is, also in an endless loop. */
  readonly signal: AbortSignal;
  /** The most memory that it may take, in MiB. */
  readonly memoryMb: number;
}

/**
 * Runs a program over foreign data in a thread of its own, so that whatever the data does to it neither blocks nor
 * ends this process. The program posts one message, which is its result. There are as many threads at once as cores.
 * @param program the file of the program
 * @throws Error of the program; the signal's reason.
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
  const worker = new Worker(program, { workerData: input, resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
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
