import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { join } from "node:path";
import { z } from "zod";
import { startTimeLimit } from "../async/time-limit.ts";
import type { DocumentFormat } from "./format.ts";
import { PERMISSIONS, withoutNetwork } from "./isolation.ts";
import { ExtractionError } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";

const PROCESS = join(import.meta.dirname, "extraction-process.ts");
const MIB = 1024 * 1024;
/** Node's exit code when its heap is full. */
const OUT_OF_HEAP = 134;

const failure = z.object({ reason: z.string() });

/** A file and the limits for reading it. */
export interface Extraction {
  readonly format: DocumentFormat;
  readonly limits: ExtractionLimits;
  readonly signal: AbortSignal;
}

/** The requested part of a file, and the schema of the answer. */
export interface RequestedPart<T> {
  readonly as: "passages" | "text";
  readonly answer: z.ZodType<T>;
}

/**
 * Extracts a file's text. The file may be malicious, so it is read in a separate process without settings, which may
 * read its own program only, write no files and start no programs, and is killed at its memory or time limit. If the
 * system allows it, the process has no network access, and under root it runs as another user.
 * @throws ExtractionError with the reason when the file cannot be read
 * @throws the signal's reason
 */
export async function runExtraction<T>(
  content: Uint8Array,
  { format, limits, signal }: Extraction,
  { as, answer }: RequestedPart<T>,
): Promise<T> {
  const limit = startTimeLimit(limits.timeoutMs, signal);
  const order = JSON.stringify({ format, limits, as });
  const command = [...(await withoutNetwork()), process.execPath, ...flags(limits), PROCESS, order];
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    env: {},
    stdio: ["pipe", "pipe", "ignore"],
    signal: limit.signal,
    killSignal: "SIGKILL",
  });
  // Its message is more useful than the write error.
  const sent = pipeline([content], child.stdin).catch(() => undefined);
  const startFailed = once(child, "error").then(([error]) => Promise.reject(error));
  try {
    const [text, [code, killed]] = await Promise.race([
      Promise.all([buffer(child.stdout), once(child, "close"), sent]),
      startFailed,
    ]);
    if (code !== 0) throw ended(code, killed, limits);
    const result: unknown = JSON.parse(text.toString());
    const failed = failure.safeParse(result);
    if (failed.success) throw new ExtractionError(failed.data.reason);
    return answer.parse(result);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.isOver()) throw new ExtractionError(`It takes longer than ${limits.timeoutMs / 1_000} s to read.`);
    throw error;
  } finally {
    limit.clear();
    child.kill("SIGKILL");
  }
}

function flags({ memoryBytes }: ExtractionLimits): string[] {
  return [`--max-old-space-size=${Math.floor(memoryBytes / MIB)}`, ...PERMISSIONS];
}

function ended(code: unknown, killed: unknown, { memoryBytes }: ExtractionLimits): ExtractionError {
  const isMemory = killed === "SIGKILL" || killed === "SIGABRT" || code === OUT_OF_HEAP;
  if (isMemory)
    return new ExtractionError(`It takes more than ${Math.floor(memoryBytes / MIB)} MiB of memory to read.`);
  return new ExtractionError("It cannot be read: the program that reads it broke down.");
}
