import { existsSync } from "node:fs";
import type { Logger } from "pino";
import type { Config } from "#config/config.ts";
import { readConfig } from "#config/config.ts";
import { memoryWarning, requireFiles } from "./machine-limits.ts";
import { openLog } from "./open-log.ts";

const ENV_FILE = ".env";
/** Errors of the language, the system and PostgreSQL; those of this program are written for an operator. */
const FOREIGN_NAMES = new Set(["Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "error"]);

/**
 * Reads the settings, including `.env` in the current folder, and opens the log.
 * @throws ConfigError; MachineLimitError
 */
export async function prepare(): Promise<{ readonly config: Config; readonly log: Logger }> {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  const config = readConfig();
  requireFiles();
  const log = await openLog(config.LOG_LEVEL);
  const warning = memoryWarning();
  if (warning !== undefined) log.warn(warning);
  return { config, log };
}

/**
 * Exits with code 1 when `run` fails. An operator's error is explained in one sentence; an internal error is shown with
 * its stack.
 */
export async function runOrExit<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    process.stderr.write(`${explanation(error)}\n`);
    process.exit(1);
  }
}

function explanation(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (FOREIGN_NAMES.has(error.name)) {
    return "code" in error ? `${error.name}: ${error.message}` : (error.stack ?? error.message);
  }
  return error.message;
}
