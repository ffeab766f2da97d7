import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "../../../test/support/verifies.ts";
import { runInWorker } from "./run-in-worker.ts";

const PROGRAM = new URL(
  `data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.postMessage(process.env);`,
);

verifies("hardening.workers.environment", "a thread that reads foreign data gets no environment", async () => {
  const job = { input: null, output: z.record(z.string(), z.string()), memoryMb: 64 };
  expect(await runInWorker(PROGRAM, { ...job, signal: AbortSignal.timeout(10_000) })).toEqual({});
  expect(Object.keys(process.env).length).toBeGreaterThan(0);
});
