import { eventually } from "./eventually.ts";
import { runningOn } from "./running-on.ts";
import { createDatabase, createKeys, startProcess } from "./service.ts";
import type { TestKeys, TestProcess } from "./service.ts";

/** Services on one database; each is started again when it dies, as a supervisor would. */
export interface Supervisor {
  readonly databaseUrl: string;
  readonly keys: TestKeys;
  /** A service that runs at this moment, or the next one. */
  one(): Promise<TestProcess>;
  /** Kills all services, without their quarantine processes, and waits until they run again. */
  killAll(): Promise<void>;
  /** The process that runs a task, a service or a quarantine process. */
  runnerOf(taskId: string): Promise<number>;
  /** What all services have written to standard error, those that died included. */
  errors(): string;
  stop(): Promise<void>;
}

/** Starts services. */
export async function startSupervisor(count: number, env: Readonly<Record<string, string>>): Promise<Supervisor> {
  const database = await createDatabase();
  const keys = createKeys();
  const all: TestProcess[] = [];
  const restarts: Promise<void>[] = [];
  let isStopping = false;

  async function start(): Promise<void> {
    const service = await startProcess({ databaseUrl: database.url, keys, env });
    all.push(service);
    service.process.once("exit", () => {
      if (!isStopping) restarts.push(start());
    });
  }

  const running = () => all.filter(({ process }) => process.exitCode === null && process.signalCode === null);
  await Promise.all(Array.from({ length: count }, start));
  return {
    databaseUrl: database.url,
    keys,
    one: () => eventually("a service runs", () => running().at(-1)),
    async killAll() {
      await Promise.all(running().map((service) => service.kill()));
      await eventually("all services run again", () => running().length === count);
    },
    runnerOf: (taskId) => eventually("a process runs it", async () => (await runningOn(database.url)).get(taskId)),
    errors: () => all.map((service) => service.output().stderr).join(""),
    async stop() {
      isStopping = true;
      await Promise.all(restarts);
      await Promise.all(all.map((service) => service.stop()));
      await database.drop();
    },
  };
}
