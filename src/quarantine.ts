// A quarantine process: it runs suspects and serves nothing. Arguments: its id, its parent's id, and the lowest
// suspicion of its group.
import { Worker } from "node:worker_threads";
import { QUARANTINE_GROUPS } from "#engine/queue/quarantine-groups.ts";
import { openBlobs } from "./service/open-blobs.ts";
import { openInstance } from "./service/instance.ts";
import { serviceUrl } from "./service/listen.ts";
import { createParts, listenToOthers } from "./service/parts.ts";
import { prepare, runOrExit } from "./service/prepare.ts";

const BEAT_MS = 1_000;

/** Ends this process when its parent is gone, even if a job blocks the event loop. */
const WATCHDOG = `
  setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL"); }, ${BEAT_MS})`;

const [, , executorId = "", parentId = "", min] = process.argv;
const group = QUARANTINE_GROUPS.find((one) => String(one.min) === min);

await runOrExit(async () => {
  if (group === undefined) throw new Error(`There is no group of suspicion ${min}.`);
  process.on("disconnect", () => process.exit(1));
  new Worker(WATCHDOG, { eval: true }).unref();
  const stopped = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopped.resolve());

  const { config, log } = await prepare();
  const instance = await openInstance(config, log);
  const member = { executorId, parentId, group, onIdle: () => stopped.resolve() };
  const url = serviceUrl(config, config.PORT);
  const opened = { instance, blobs: openBlobs(config), observe: () => undefined, url, suspects: member };
  const parts = createParts(config, log, opened);
  const stopListening = await listenToOthers(parts);
  // Before the first job, which may block the event loop immediately.
  process.send?.("beat");
  setInterval(() => process.send?.("beat"), BEAT_MS).unref();
  await parts.engine.start();

  await stopped.promise;
  await parts.engine.stop(config.SHUTDOWN_GRACE * 1_000);
  await stopListening();
  await instance.close();
  process.exit(0);
});
