import { pino } from "pino";
import type { Logger, LoggerOptions } from "pino";
import { describeError } from "#lib/text/describe-error.ts";

const STDERR = 2;

/**
 * Opens the log on standard error: readable lines on a terminal, otherwise one JSON document per line, with level names
 * and ISO 8601 times.
 */
export async function openLog(level: string, isTerminal: boolean = process.stderr.isTTY): Promise<Logger> {
  const options: LoggerOptions = {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => describeError(error) },
  };
  if (isTerminal) {
    const { build: prettyStream } = await import("pino-pretty");
    const stream = prettyStream({
      destination: STDERR,
      sync: true,
      translateTime: "SYS:HH:MM:ss.l",
      ignore: "pid,hostname",
      singleLine: true,
    });
    return pino(options, stream);
  }
  return pino({ ...options, formatters: { level: (label) => ({ level: label }) } }, pino.destination(STDERR));
}
