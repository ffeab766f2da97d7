import { z } from "zod";
import { runInWorker } from "../async/run-in-worker.ts";
import { countJsonValues } from "./count-json-values.ts";
import { JsonSyntaxError, parseJson } from "./parse-json.ts";

const PROGRAM = new URL("./json-check-program.ts", import.meta.url);
/** Values that are parsed in a few milliseconds. */
const MAX_VALUES = 50_000;
const TIMEOUT_MS = 10_000;
const MEMORY_MB = 256;

/** Says what is wrong with a file that should be JSON; null when it is. One of many values is parsed in a worker. */
export async function findJsonProblem(content: Uint8Array): Promise<string | null> {
  const text = new TextDecoder().decode(content);
  if (countJsonValues(text, MAX_VALUES) <= MAX_VALUES) return jsonProblemOf(text);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const job = { input: text, output: z.string().nullable(), signal, memoryMb: MEMORY_MB };
  return runInWorker(PROGRAM, job).catch(() => "it has too many values to be checked");
}

/** The same, in this thread. */
export function jsonProblemOf(text: string): string | null {
  try {
    parseJson(text);
    return null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}
