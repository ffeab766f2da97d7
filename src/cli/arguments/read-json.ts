import { readFile } from "node:fs/promises";
import { z } from "zod";
import { describeFileError } from "../errors/describe-file-error.ts";
import { UsageError } from "../errors/cli-error.ts";
import { readAllInput } from "../terminal/input.ts";
import type { Output } from "../terminal/output.ts";

/**
 * Reads a JSON object from a file, or from standard input where the file is `-`.
 * @param what what it is, as in `the config`
 * @throws UsageError when it cannot be read or is none.
 */
export async function readJsonObject(file: string, what: string, out: Output): Promise<Record<string, unknown>> {
  const text = file === "-" ? await readAllInput(out, what) : await readText(file);
  return parseJsonObject(text, what, file);
}

/** Parses a JSON object. @param source the option or file that contains it @throws UsageError when it is none. */
export function parseJsonObject(text: string, what: string, source: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (error) {
    const subject = what.charAt(0).toUpperCase() + what.slice(1);
    throw new UsageError(`${subject} must be a JSON object; ${source} holds none.`, { cause: error });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${describeFileError(error)}.`, { cause: error });
  }
}
