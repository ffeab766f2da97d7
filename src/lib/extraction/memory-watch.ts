import { parentPort, workerData } from "node:worker_threads";

const INTERVAL_MS = 20;

/** Ends the process when it has taken as much memory as it may; a thread's own exit would end the thread alone. */
const most = Number(workerData);
setInterval(() => {
  if (process.memoryUsage.rss() > most) process.kill(process.pid, "SIGKILL");
}, INTERVAL_MS);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
parentPort?.postMessage("watching");
