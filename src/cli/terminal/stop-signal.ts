import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Returns a signal that is aborted when the process is asked to stop. @param message of the error that it then throws */
export function stopSignal(message: string): AbortSignal {
  const stopping = new AbortController();
  const reason = new CliError(EXIT.interrupted, message);
  for (const signal of STOP_SIGNALS) process.once(signal, () => stopping.abort(reason));
  return stopping.signal;
}
