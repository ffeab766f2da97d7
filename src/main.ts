import type { Logger } from "pino";
import { atMost } from "#lib/async/at-most.ts";
import { announcement } from "./service/announce.ts";
import type { Config } from "#config/config.ts";
import { runOrExit, prepare } from "./service/prepare.ts";
import { startService } from "./service/service.ts";
import type { RunningService } from "./service/service.ts";

/** How long the database has to close when the process must end, in milliseconds. */
const FORCED_CLOSE_MS = 2_000;
/** A signal after this time was sent again, in milliseconds. */
const REPEATED_MS = 500;
/** The exit code of a process ended by Ctrl-C. */
const INTERRUPTED = 130;

/** Runs the service until it is stopped (SIGINT, SIGTERM, or the end of its parent process). */
export async function serve(): Promise<void> {
  await runOrExit(async () => {
    const { config, log } = await prepare();
    await start(config, log);
  });
}

/**
 * Starts the service in this process, prints its URL and, once, what the first start created, and shuts the process
 * down on a signal, even during the start.
 */
export async function start(config: Config, log: Logger): Promise<RunningService> {
  const starting = new AbortController();
  let service: RunningService | undefined;
  let stoppedAt: number | undefined;
  onStop((reason) => {
    if (stoppedAt !== undefined) {
      // npm and supervisors forward a signal that this process has already received: only a person repeats one later.
      const isRepeated = reason === "SIGINT" && performance.now() - stoppedAt > REPEATED_MS;
      if (isRepeated) forceExit(service, log);
      return;
    }
    stoppedAt = performance.now();
    log.info({ reason }, "stopping");
    if (process.stdout.isTTY) process.stdout.write(`\n${stopLine(service, config)}\n`);
    if (service === undefined) starting.abort(new StartInterruptedError(reason));
    else endProcess(service, log);
  });
  try {
    service = await startService(config, log, starting.signal);
  } catch (error) {
    if (!starting.signal.aborted) throw error;
    process.exit(0);
  }
  if (starting.signal.aborted) endProcess(service, log);
  else await announce(service, config);
  return service;
}

/** The service was stopped before it was ready. */
class StartInterruptedError extends Error {
  override readonly name = "StartInterruptedError";
}

async function announce({ url, opsUrl, instance }: RunningService, config: Config): Promise<void> {
  const lines = await announcement({ url, opsUrl, instance, config, isTerminal: process.stdout.isTTY });
  process.stdout.write(`${lines.join("\n")}\n`);
}

function stopLine(service: RunningService | undefined, { SHUTDOWN_GRACE: seconds }: Config): string {
  if (service === undefined) return "Stopping.";
  const awaited = service.openWork();
  if (awaited === 0) return "Stopping. Ctrl-C again stops immediately.";
  const calls = `${awaited} ${awaited === 1 ? "job" : "jobs"} in progress`;
  return `Stopping: ${calls}, up to ${seconds} s to finish the current step. Ctrl-C again stops immediately; nothing is lost.`;
}

/** Work in progress is recovered by another process or the next start; what it loses now is no news to the log. */
function forceExit(service: RunningService | undefined, log: Logger): void {
  log.level = "silent";
  void atMost(FORCED_CLOSE_MS, service?.instance.close() ?? Promise.resolve()).finally(() => process.exit(INTERRUPTED));
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
