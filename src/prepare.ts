import { existsSync } from "node:fs";
import type { Logger } from "pino";
import { AppError } from "#domain/errors.ts";
import type { Config } from "./config.ts";
import { readConfig } from "./config.ts";
import { openLog } from "./open-log.ts";

const ENV_FILE = ".env";

/** Reads the settings, including `.env` in the current folder, and opens the log. @throws ConfigError */
export async function prepare(): Promise<{ readonly config: Config; readonly log: Logger }> {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  const config = readConfig();
  return { config, log: await openLog(config.LOG_LEVEL) };
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
  if (error instanceof AppError) return error.message;
  const isExplained = error.name !== "Error" || "code" in error;
  return isExplained ? `${error.name}: ${error.message}` : (error.stack ?? error.message);
}
