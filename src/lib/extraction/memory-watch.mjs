// JavaScript, because each thread that strips types loads the stripper: a fifth of the CPU time of a small extraction.
import { parentPort, workerData } from "node:worker_threads";

const INTERVAL_MS = 20;

/** Kills the process at its memory limit; a worker's own exit would end only the worker. */
const most = Number(workerData);
setInterval(() => {
  if (process.memoryUsage.rss() > most) process.kill(process.pid, "SIGKILL");
}, INTERVAL_MS);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
parentPort?.postMessage("watching");
