import type { Logger } from "pino";
import { atMost } from "#lib/async/at-most.ts";
import { announcement } from "./announce.ts";
import type { Config } from "./config.ts";
import { orExplain, prepare } from "./prepare.ts";
import { startService } from "./service.ts";
import type { RunningService } from "./service.ts";

/** How long a process that must end now gives its database to close, in milliseconds. */
const HASTY_CLOSE_MS = 2_000;
/** A signal that comes so much later was sent again, in milliseconds. */
const REPEATED_MS = 500;
/** Of a process that was ended by Ctrl-C. */
const INTERRUPTED = 130;

/** Runs the service until it is told to stop (SIGINT, SIGTERM, or the end of the process that started it). */
export async function serve(): Promise<void> {
  await orExplain(async () => {
    const { config, log } = prepare();
    await start(config, log);
  });
}

/**
 * Starts the service in this process, prints its URL and, once, what the first start created, and ends the process
 * in good order when it is told to stop, also while it starts.
 */
export async function start(config: Config, log: Logger): Promise<RunningService> {
  const starting = new AbortController();
  let service: RunningService | undefined;
  let stoppedAt: number | undefined;
  onStop((reason) => {
    if (stoppedAt !== undefined) {
      // npm and supervisors pass on a signal that this process has got already: only a person repeats one later.
      const isRepeated = reason === "SIGINT" && performance.now() - stoppedAt > REPEATED_MS;
      if (isRepeated) endHastily(service);
      return;
    }
    stoppedAt = performance.now();
    log.info({ reason }, "stopping");
    if (process.stdout.isTTY) process.stdout.write(`\n${stopLine(service, config)}\n`);
    if (service === undefined) starting.abort(new Stopped(reason));
    else endProcess(service, log);
  });
  try {
    service = await startService(config, log, starting.signal);
  } catch (error) {
    if (!starting.signal.aborted) throw error;
    process.exit(0);
  }
  if (starting.signal.aborted) endProcess(service, log);
  else announce(service, config);
  return service;
}

/** The service was told to stop before it was ready. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

function announce({ url, opsUrl, instance }: RunningService, config: Config): void {
  const lines = announcement({ url, opsUrl, instance, config, isTerminal: process.stdout.isTTY });
  process.stdout.write(`${lines.join("\n")}\n`);
}

function stopLine(service: RunningService | undefined, { SHUTDOWN_GRACE: seconds }: Config): string {
  if (service === undefined) return "Stopping.";
  const awaited = service.openWork();
  if (awaited === 0) return "Stopping. Ctrl-C again stops immediately.";
  const calls = `${awaited} ${awaited === 1 ? "job" : "jobs"} in progress`;
  return `Stopping: ${calls}, up to ${seconds} s to finish the current step. Ctrl-C again stops immediately; nothing is lost.`;
}

/** What is in progress is recovered by another process or the next start. */
function endHastily(service: RunningService | undefined): void {
  void atMost(HASTY_CLOSE_MS, service?.instance.close() ?? Promise.resolve()).finally(() => process.exit(INTERRUPTED));
}

function onStop(stop: (reason: string) => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal));
  process.on("disconnect", () => stop("the launcher is gone"));
  process.channel?.unref();
}

function endProcess(service: RunningService, log: Logger): void {
  service.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      log.error({ err: error }, "could not stop cleanly");
      process.exit(1);
    },
  );
}

if (import.meta.filename === process.argv[1]) await serve();
