import { readFile } from "node:fs/promises";
import { isRecord } from "#lib/is-record.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { UsageError } from "../errors/cli-error.ts";
import { readAllInput } from "../terminal/input.ts";
import type { Output } from "../terminal/output.ts";

/**
 * Reads a JSON object from a file, or from standard input if the file is `-`.
 * @param what its name in errors, such as `the config`
 * @throws UsageError when it cannot be read or is not a JSON object.
 */
export async function readJsonObject(file: string, what: string, out: Output): Promise<Record<string, unknown>> {
  const text = file === "-" ? await readAllInput(out, what) : await readText(file);
  return parseJsonObject(text, what, file === "-" ? "standard input" : file);
}

/**
 * Parses a JSON object.
 * @param what its name in errors, such as `the config`
 * @param file the file that contains it, if any
 * @throws UsageError with the position of the error when it is not a JSON object.
 */
export function parseJsonObject(text: string, what: string, file?: string): Record<string, unknown> {
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  const start = `${subject} must be a JSON object${file === undefined ? "" : `, and ${file} is not`}`;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${start}: ${error.message}.`);
  }
  if (isRecord(value)) return value;
  throw new UsageError(`${start}: it is a list or a single value.`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${describeFileError(error)}.`, { cause: error });
  }
}
