import { parentPort } from "node:worker_threads";

/**
 * The sandbox's side of the exchange, for its program: answers each request with the handler's result and the CPU time
 * it took. A handler that throws fails the request. Only the sandbox's owner sends requests.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- messages have no type; there is one sender
export function serveSandbox<Request>(handle: (request: Request) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error("A sandbox's program runs in a worker thread.");
  port.on("message", (request: Request) => {
    const before = process.threadCpuUsage();
    try {
      const value = handle(request);
      port.postMessage({ value, cpuMs: cpuSince(before) });
    } catch (error) {
      port.postMessage({ error: error instanceof Error ? error.message : String(error), cpuMs: cpuSince(before) });
    }
  });
  port.postMessage("ready");
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
