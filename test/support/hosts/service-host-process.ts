// Runs the services of one test worker side by side, each as `src/main.ts` would: started by fork(), told what to do by
// messages, and ended by the end of its worker.
import { rmSync } from "node:fs";
import { pino } from "pino";
import { readConfig } from "../../../src/config/config.ts";
import { announcement } from "../../../src/service/announce.ts";
import { startService } from "../../../src/service/service.ts";
import type { RunningService } from "../../../src/service/service.ts";
import { hostOrder } from "./service-host-messages.ts";
import type { HostOrder, HostReport } from "./service-host-messages.ts";

const services = new Map<string, RunningService>();
/** The data folders of the services that run. */
const folders = new Map<string, string>();

process.on("message", (message) => void execute(hostOrder.parse(message)));
process.once("disconnect", () => {
  // The services that a worker keeps for all its files are not stopped, and vitest ends the worker by a signal.
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
});

async function execute(order: HostOrder): Promise<void> {
  if (order.type === "start") await start(order);
  else await stop(order.id);
}

async function start({ id, env }: Extract<HostOrder, { type: "start" }>): Promise<void> {
  const write = (stream: "stdout" | "stderr") => (text: string) => report({ type: "written", id, stream, text });
  try {
    const config = readConfig(env);
    const service = await startService(config, pino({ level: config.LOG_LEVEL }, { write: write("stderr") }));
    services.set(id, service);
    folders.set(id, config.MUSTER_DATA);
    const lines = await announcement({ ...service, config, isTerminal: false });
    write("stdout")(`${lines.join("\n")}\n`);
    report({ type: "started", id, url: service.url });
  } catch (error) {
    report({ type: "failed", id, message: messageOf(error) });
  }
}

async function stop(id: string): Promise<void> {
  try {
    await services.get(id)?.stop();
    report({ type: "stopped", id });
  } catch (error) {
    report({ type: "failed", id, message: messageOf(error) });
  } finally {
    services.delete(id);
    folders.delete(id);
  }
}

function report(message: HostReport): void {
  // The worker may be gone: then this process ends in a moment, too, and nobody reads the report.
  process.send?.(message, () => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
