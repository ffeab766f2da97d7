// Runs in a worker: says what is wrong with a text that should be JSON.
import { parentPort, workerData } from "node:worker_threads";
import { jsonProblemOf } from "./find-json-problem.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
parentPort?.postMessage(jsonProblemOf(String(workerData)));
