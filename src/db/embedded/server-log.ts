import { closeSync, constants, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorLine } from "./run-as.ts";

const FILE = "postgres.log";
const MAX_BYTES = 10 * 1024 * 1024;

/** The server's log file, opened for one start of the server. */
export interface ServerLog {
  readonly path: string;
  /** The open file, for the server's stdout and stderr. */
  readonly descriptor: number;
  /** The errors that the server has logged since this start. */
  readonly problem: () => string | undefined;
  readonly close: () => void;
}

/** Opens `postgres.log` in the data folder; a file of more than 10 MB is renamed to `postgres.log.1` first. */
export function openServerLog(dataFolder: string): ServerLog {
  const path = join(dataFolder, FILE);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_BYTES) renameSync(path, `${path}.1`);
  const start = size > MAX_BYTES ? 0 : size;
  const flags = constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
  return {
    path,
    descriptor,
    problem: () => errorLine(readFileSync(path).subarray(start).toString()),
    close: () => closeSync(descriptor),
  };
}
