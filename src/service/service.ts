import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { createStartingApp } from "#http/starting-app.ts";
import { outlastLosses } from "#db/await-server.ts";
import { SERVICE_URL, writeSetting } from "#db/queries/access/first-start.ts";
import { readOperatorFigures } from "#db/queries/queue/operator-figures.ts";
import type { Config } from "#config/config.ts";
import { hourlyCertificateEnd } from "./certificate-gauge.ts";
import { openInstance } from "./instance.ts";
import type { Instance } from "./instance.ts";
import { readHold } from "./hold.ts";
import { openMetrics } from "./open-metrics.ts";
import { openOpsServer } from "./ops-server.ts";
import { listenOn, serviceUrl } from "./listen.ts";
import { quarantineStarter } from "./start-quarantine.ts";
import { openBlobs } from "./open-blobs.ts";

/** A running service. */
export interface RunningService {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** The URL of its metrics, if they are served. */
  readonly opsUrl: string | undefined;
  readonly instance: Instance;
  /** The number of jobs that this process runs. */
  openWork(): number;
  /** Stops accepting requests and runs, lets steps in progress finish, and closes everything. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts everything: database, engine, and the surfaces on one port. Until all of it works, requests are answered with
 * 503.
 * @param signal aborts a start in progress; whatever was started is stopped again
 * @throws ListenError when the port cannot be listened on; whatever was started is stopped again
 */
export async function startService(
  config: Config,
  log: Logger,
  signal: AbortSignal = new AbortController().signal,
): Promise<RunningService> {
  const blobs = openBlobs(config);
  const undo: (() => Promise<unknown> | void)[] = [];
  const graceMs = config.SHUTDOWN_GRACE * 1_000;
  let answer = createStartingApp(log).fetch;
  const outlast = <T>(step: () => Promise<T>) => outlastLosses(step, { signal, warn: (line) => log.warn(line) });
  async function stop(): Promise<void> {
    for (const step of undo.splice(0).toReversed()) await step();
  }
  try {
    const metrics = await openMetrics(config.OPS_PORT !== undefined);
    const ops = await openOpsServer(config, metrics);
    undo.push(() => ops?.close());
    const { observe } = metrics;
    const { port, drain } = await listenOn((...request) => answer(...request), config);
    undo.push(() => drain(graceMs));
    const instance = await openInstance(config, log, { signal, observe });
    undo.push(() => instance.close());
    // Only now, because a start that fails before needs little of the program.
    const [{ createParts, listenToOthers }, { createSurfaces }] = await Promise.all([
      import("./parts.ts"),
      import("./assemble.ts"),
    ]);
    const url = serviceUrl(config, port);
    await outlast(() => writeSetting(instance.db, SERVICE_URL, url));
    const parts = createParts(config, log, {
      instance,
      blobs,
      observe,
      url,
      suspects: quarantineStarter({ config, databaseUrl: instance.url, port }),
    });
    const { engine, schemas, limits, streams } = parts;
    undo.push(
      () => schemas.close(),
      () => limits.close(),
    );
    undo.push(await outlast(() => listenToOthers(parts)));
    metrics.connect({
      readFigures: () => readOperatorFigures(instance.db),
      readCertificateEnd: hourlyCertificateEnd(config.DATABASE_URL),
      poolUse: () => instance.db.use(),
      openStreams: () => streams.count(),
      activeJobs: () => engine.activeJobs(),
    });
    const [draining, closing] = [new AbortController(), new AbortController()];
    const hold = await outlast(() => readHold(instance.db, log));
    const app = createSurfaces(parts, { draining: draining.signal, closing: closing.signal, isHeld: hold.isHeld });
    signal.throwIfAborted();
    await hold.begin(() => outlast(engine.start));
    // Concurrently, because requests that follow a run end when the run has stopped.
    undo.push(async () => {
      draining.abort();
      await hold.stop();
      await sleep(config.DRAIN_DELAY * 1_000);
      closing.abort();
      return Promise.all([drain(graceMs), engine.stop(graceMs)]);
    });
    // Only now, because a request's job needs an engine that can claim it.
    answer = app.fetch;
    let stopped: Promise<void> | undefined;
    const opsUrl = ops && `http://${config.OPS_HOST}:${ops.port}/metrics`;
    return { url, opsUrl, instance, openWork: () => engine.activeJobs(), stop: () => (stopped ??= stop()) };
  } catch (error) {
    await stop();
    throw error;
  }
}
